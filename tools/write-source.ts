/**
 * `node tools/write-source.ts`: writes the location of the source into every published manifest, and its team into
 * CODEOWNERS. Run it after changing `repository` in the repository's manifest.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PACKAGES } from './pack.ts';
import { expectedSource, expectedTeam, repositoryUrl } from './repository.ts';
import { runCommand } from './run-command.ts';

const root = path.resolve(import.meta.dirname, '..');
const url = repositoryUrl();
for (const folder of PACKAGES) {
  const file = path.join(root, folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object; // npm has read it
  await writeFile(file, `${JSON.stringify({ ...manifest, ...expectedSource(url, folder) }, undefined, 2)}\n`);
}
await writeFile(
  path.join(root, '.github/CODEOWNERS'),
  `# A team, so that no single person has to be available.\n* ${expectedTeam(url)}\n`,
);
await runCommand(['oxfmt', ...PACKAGES.map((folder) => `${folder}/package.json`)], { cwd: root });
console.log(`Every manifest names ${url}.`);
