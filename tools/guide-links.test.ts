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

it('each page of the guide ends with what to read next', () => {
  const pages = globSync('docs/guide/*.md', { cwd: root });
  const last = (page: string): string | undefined =>
    readFileSync(path.join(root, page), 'utf8')
      .match(/^## .+$/gm)
      ?.at(-1);
  expect(pages.filter((page) => last(page) !== '## What to read next')).toEqual([]);
});
