import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MANIFEST_VERSION } from '../runtime/manifest.ts';
import { readVersions } from './versions.ts';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/versioning.md'), 'utf8');

it('docs/versioning.md says what each package promises', () => {
  const names = Object.keys(readVersions(root)).filter((name) => !page.includes(`| \`${name}\` `));
  // The page lists the command's package under the name of the command.
  expect(names.filter((name) => !/^appkit(?:-cli)?$/.test(name))).toEqual([]);
  expect(page).toContain('| the `appkit` command ');
});

it('docs/versioning.md has each version of the manifest', () => {
  const versions = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, version]) => Number(version));
  expect(versions).toEqual(Array.from({ length: MANIFEST_VERSION }, (_, index) => index + 1));
});
