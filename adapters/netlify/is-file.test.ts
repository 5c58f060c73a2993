import { expect, it } from 'vitest';
import { createIsFile } from './is-file.ts';

const isFile = createIsFile({ files: { 'a b.txt': {}, 'about.html': {}, 'docs/index.html': {}, 'index.html': {} } });

const requests: [target: string, method: string, expected: boolean][] = [
  ['/a%20b.txt?v=1', 'GET', true],
  ['/a%20b.txt', 'HEAD', true],
  ['/a%20b.txt', 'POST', false],
  ['/about', 'GET', true],
  ['/about/', 'GET', false],
  ['/docs/', 'GET', true],
  ['/docs', 'GET', false],
  ['/', 'GET', true],
  ['/toString', 'GET', false],
  ['/%zz', 'GET', false],
];

it.each(requests)('finds %s by %s: %s', (target, method, expected) => {
  expect(isFile(new Request(`https://site.test${target}`, { method }))).toBe(expected);
});
