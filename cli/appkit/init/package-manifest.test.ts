import { expect, it } from 'vitest';
import { mergeManifest } from './package-manifest.ts';

const wanted = JSON.stringify({ scripts: { deploy: 'appkit export && say "done"' }, files: ['dist/server'] });

it.each([
  ['two spaces', '{\n  "name": "a",\n  "scripts": {\n    "x": "y"\n  },\n  "files": ["dist/server"]\n}\n', '\n  "'],
  ['tabs', '{\n\t"name": "a",\n\t"scripts": {\n\t\t"x": "y"\n\t},\n\t"files": ["dist/server"]\n}\n', '\n\t"'],
  [
    'Windows line ends',
    '{\r\n  "scripts": {\r\n    "x": "y"\r\n  },\r\n  "files": ["dist/server"]\r\n}\r\n',
    '\r\n  "',
  ],
  [
    'a byte order mark',
    '\uFEFF{\n    "scripts": {\n        "x": "y"\n    },\n    "files": ["dist/server"]\n}\n',
    '\n    "',
  ],
])('adds a script to the others and keeps %s', (_, text, indentation) => {
  const { text: merged, added, replaced } = mergeManifest(text, wanted);
  expect([added, replaced]).toEqual([['scripts.deploy'], []]);
  const before = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
  expect(JSON.parse(merged)).toEqual({ ...before, scripts: { x: 'y', deploy: 'appkit export && say "done"' } });
  expect(Object.keys(JSON.parse(merged) as object)).toEqual(Object.keys(before));
  expect(merged.slice(1)).toMatch(new RegExp(`^${indentation}`));
  expect(merged.replaceAll(indentation.startsWith('\r') ? '\r\n' : '\n', '')).not.toMatch(/[\r\n]/);
});

it('adds what is missing', () => {
  const { text, added } = mergeManifest('{}', wanted);
  expect(JSON.parse(text)).toEqual(JSON.parse(wanted));
  expect(added).toEqual(['scripts.deploy', 'files']);
});

it('says what it replaces', () => {
  const existing = { scripts: { deploy: 'old', x: 'y' }, files: ['lib'] };
  const { text, replaced } = mergeManifest(JSON.stringify(existing), wanted);
  expect(JSON.parse(text)).toMatchObject({ scripts: { x: 'y' }, files: ['dist/server'] });
  expect(replaced).toEqual(['scripts.deploy', 'files']);
});

it('changes nothing when everything is present', () => {
  const { added, replaced } = mergeManifest(wanted, wanted);
  expect([added, replaced]).toEqual([[], []]);
});

it('refuses scripts that are not an object', () => {
  expect(() => mergeManifest('{"scripts": []}', wanted)).toThrow(/"scripts" is not an object/);
});
