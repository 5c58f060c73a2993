import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');

it('the README links to every page of the guide', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const pages = globSync('docs/guide/*.md', { cwd: root });
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.filter((page) => !readme.includes(`(${page})`))).toEqual([]);
});
