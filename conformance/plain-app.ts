import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { routes } from './generic/fixture/routes.ts';

/**
 * Writes an app of the generic fixture's routes alone, which configures nothing and calls no helper: its requests take
 * the shortest way through the runtime, like those of most first apps.
 *
 * @param folder – next to the folder `generic`.
 */
export async function writePlainApp(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(path.join(folder, 'app.json'), JSON.stringify({ plugins: ['appkit-router'] }));
  for (const { path: pattern } of routes) {
    const names = pattern.slice(1).split('/');
    const segments = names.map((name) => (name === '*' ? '[...path]' : name.replace(/^:(.*)/, '[$1]')));
    const file = path.join(folder, 'app', `${path.join(...segments)}+api.ts`);
    // The file of a route has the name of its path, without the parameters.
    const source = names.filter((name) => !/^[:*]/.test(name)).join('/');
    const up = '../'.repeat(names.length + 1);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `export * from '${up}generic/fixture/routes/${source}.ts';\n`);
  }
}
