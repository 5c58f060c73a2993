import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command.ts';

/**
 * Packs an appkit-server whose adapters all have one fault.
 *
 * Every adapter gets its handler from the runtime by one import. The copy has that import lead to `faults.mjs` instead.
 *
 * @param tarball – the packed appkit-server, as a `file:` specifier.
 * @param folder – does not exist yet; it will hold the copy.
 * @returns the `file:` specifier of the copy.
 * @throws Error when no adapter has that import any more, since then the fault would not be there.
 */
export async function packWithFault(tarball: string, fault: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await runCommand(['tar', '-xzf', tarball.replace(/^file:/, ''), '-C', folder], folder);
  const adapters = join(folder, 'package/lib/adapters');
  await cp(fileURLToPath(import.meta.resolve('./faults.mjs')), join(adapters, 'faults.js'));
  await writeFile(
    join(adapters, 'faulty-handler.js'),
    `import { createHandler as createRightHandler } from '../runtime/handler.js';
import { faults } from './faults.js';
export const createHandler = faults[${JSON.stringify(fault)}](createRightHandler);
`,
  );
  await redirectImports(adapters);
  await runCommand(['npm', 'pack', '--ignore-scripts', '--pack-destination', folder], join(folder, 'package'));
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  await rm(join(folder, 'package'), { recursive: true });
  return `file:${join(folder, packed ?? '')}`;
}

async function redirectImports(adapters: string): Promise<void> {
  let redirected = 0;
  for (const name of await readdir(adapters, { recursive: true })) {
    if (!/^[^/]+\/[^/]+\.js$/.test(name)) continue;
    const file = join(adapters, name);
    const text = await readFile(file, 'utf8');
    const changed = text.replaceAll(/(['"])\.\.\/\.\.\/runtime\/handler\.js\1/g, "'../faulty-handler.js'");
    if (changed === text) continue;
    await writeFile(file, changed);
    redirected += 1;
  }
  if (redirected === 0) throw new Error(`Nothing in ${adapters} imports ../../runtime/handler.js: correct plant.ts.`);
}
