/** `npm run version`: turns the change files into versions and change logs, for the packages, the examples and the lock file. */
import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, runCommand } from './run-command.ts';
import { readVersions, withVersions } from './versions.ts';

const root = path.resolve(import.meta.dirname, '..');
console.log(await runCommand(['changeset', 'version'], { cwd: root }));
const versions = readVersions(root);
for await (const name of glob('examples/*/package.json', { cwd: root })) {
  const file = path.join(root, name);
  await writeFile(file, withVersions(await readFile(file, 'utf8'), versions));
}
await runCommand([...npmCommand(), 'install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: root });
console.log(`The packages have the version ${[...new Set(Object.values(versions))].join(', ')}.`);
