import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command.ts';

/**
 * Packs an appkit-server whose adapters all have the fault that the variable `APPKIT_FAULT` of their process names, and none
 * without it.
 *
 * Every adapter is one file with a function that makes its handler. In the copy that function is wrapped by `faults.mjs`.
 *
 * @param tarball – the packed appkit-server, as a `file:` specifier.
 * @param folder – does not exist yet; it will hold the copy.
 * @returns the `file:` specifier of the copy.
 * @throws Error when an adapter has no such function any more, since then the faults would not be there.
 */
export async function packWithFaults(tarball: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await runCommand(['tar', '-xzf', tarball.replace(/^file:/, ''), '-C', folder], folder);
  const adapters = join(folder, 'package/lib/adapters');
  await cp(fileURLToPath(import.meta.resolve('./faults.mjs')), join(adapters, 'faults.js'));
  await plant(adapters);
  await runCommand(['npm', 'pack', '--ignore-scripts', '--pack-destination', folder], join(folder, 'package'));
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  await rm(join(folder, 'package'), { recursive: true });
  return `file:${join(folder, packed ?? '')}`;
}

async function plant(adapters: string): Promise<void> {
  for (const name of await readdir(adapters, { recursive: true })) {
    if (!name.endsWith('/index.js')) continue;
    const file = join(adapters, name);
    const text = await readFile(file, 'utf8');
    const changed = text.replace('function createHandler(', 'function createRightHandler(');
    if (changed === text) throw new Error(`${file} has no function createHandler: correct plant.ts.`);
    await writeFile(
      file,
      `import { faults } from '../faults.js';
${changed}
function createHandler(...args) {
  return faults[process.env.APPKIT_FAULT ?? 'none'](createRightHandler)(...args);
}
`,
    );
  }
}
