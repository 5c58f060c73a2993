import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const hosts = path.join(root, 'examples/hello/hosts');

it("hosts the example with each adapter's template, byte for byte", () => {
  const copies = readdirSync(hosts, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(copies.map(({ name }) => name)).toContain('server.mjs');
  for (const { parentPath, name } of copies) {
    const file = path.join(parentPath, name);
    const [host = '', ...rest] = path.relative(hosts, file).split(path.sep);
    const template = path.join(root, 'adapters', host, 'template', ...rest);
    // Copy the template over the copy when they differ.
    expect(readFileSync(file, 'utf8'), file).toBe(readFileSync(template, 'utf8'));
  }
});
