import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const folders = '{adapters,attack,auth,bench,build,cli,conformance,router,runtime,tools}';
const sources = globSync(`${folders}/**/*.{ts,tsx}`, {
  cwd: root,
  exclude: (name) => ['node_modules', 'lib', 'dist', '.cache'].includes(path.basename(name)),
});

it('every parameter is described after a dash (–)', () => {
  const others = sources.flatMap((file) => {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      /^\s*(?:\/\*)?\*.*@param [\w.]+ (?!– )/.test(line) ? `${file}:${index + 1}` : [],
    );
  });
  expect(others).toEqual([]);
});
