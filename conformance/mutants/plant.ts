import { cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command.ts';

/**
 * Packs an appkit-server whose adapters all have the fault named by their process's variable `APPKIT_FAULT`, and no
 * fault without it. Every adapter has a function that creates its handler, in its file or in a shared one. In the copy,
 * `faults.mjs` wraps that function.
 *
 * @param tarball – the packed appkit-server, as a `file:` specifier.
 * @param folder – does not exist yet; it will hold the copy.
 * @returns the `file:` specifier of the copy.
 * @throws Error when an adapter has no such function any more, since then the faults would not be there.
 */
export async function packWithFaults(tarball: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await runCommand(['tar', '-xzf', tarball.replace(/^file:/, ''), '-C', folder], folder);
  const lib = path.join(folder, 'package/lib');
  await cp(fileURLToPath(import.meta.resolve('./faults.mjs')), path.join(lib, 'faults.js'));
  await plant(lib);
  await runCommand(['npm', 'pack', '--ignore-scripts', '--pack-destination', folder], path.join(folder, 'package'));
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  await rm(path.join(folder, 'package'), { recursive: true });
  return `file:${path.join(folder, packed ?? '')}`;
}

async function plant(lib: string): Promise<void> {
  const planted = new Set<string>();
  for (const name of await readdir(lib, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const file = path.join(lib, name);
    const text = await readFile(file, 'utf8');
    const changed = text.replace('function createHandler(', 'function createRightHandler(');
    if (changed === text) continue;
    planted.add(path.basename(name));
    await writeFile(
      file,
      `import { faults } from '${path.relative(path.dirname(file), path.join(lib, 'faults.js')).replace(/^(?!\.)/, './')}';
${changed}
function createHandler(...args) {
  return faults[process.env.APPKIT_FAULT ?? 'none'](createRightHandler)(...args);
}
`,
    );
  }
  // Without those that only adapters import, such as _static.
  for await (const file of glob(path.join(lib, 'adapters/[a-z]*/index.js'))) await assertPlanted(file, planted);
}

// The function is in the file of the adapter or in one that it imports.
async function assertPlanted(file: string, planted: ReadonlySet<string>): Promise<void> {
  const text = await readFile(file, 'utf8');
  const imported = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, name]) => path.basename(name ?? ''));
  if (text.includes('function createRightHandler(') || imported.some((name) => planted.has(name))) return;
  throw new Error(`${file} has no function createHandler: correct plant.ts.`);
}
