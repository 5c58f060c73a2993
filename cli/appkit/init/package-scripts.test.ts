import { expect, it } from 'vitest';
import { setScripts } from './package-scripts.ts';

it.each([
  ['two spaces', '{\n  "name": "a",\n  "scripts": {\n    "x": "y"\n  },\n  "files": ["lib"]\n}\n', '\n  "'],
  ['tabs', '{\n\t"name": "a",\n\t"scripts": {\n\t\t"x": "y"\n\t}\n}\n', '\n\t"'],
  ['the line ends of Windows', '{\r\n  "name": "a",\r\n  "scripts": {\r\n    "x": "y"\r\n  }\r\n}\r\n', '\r\n  "'],
  ['a byte order mark', '\uFEFF{\n    "scripts": {\n        "x": "y"\n    }\n}\n', '\n    "'],
])('sets a script beside the others and keeps %s', (_, text, indentation) => {
  const result = setScripts(text, { deploy: 'appkit export && say "done"' });
  const before = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
  expect(JSON.parse(result)).toEqual({ ...before, scripts: { x: 'y', deploy: 'appkit export && say "done"' } });
  expect(Object.keys(JSON.parse(result) as object)).toEqual(Object.keys(before));
  expect(result.slice(1)).toMatch(new RegExp(`^${indentation}`));
  expect(result.replaceAll(indentation.startsWith('\r') ? '\r\n' : '\n', '')).not.toMatch(/[\r\n]/);
});

it('sets scripts where there are none', () => {
  expect(setScripts('{}', { x: 'y' })).toBe('{\n  "scripts": {\n    "x": "y"\n  }\n}\n');
});

it('replaces a script', () => {
  expect(setScripts('{\n  "scripts": {\n    "x": "old"\n  }\n}\n', { x: 'new' })).toContain('"x": "new"');
});
