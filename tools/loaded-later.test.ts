import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';

const LIB = path.resolve(import.meta.dirname, '../runtime/lib');

it.each(['bun', 'express', 'node'])('adapter/%s loads node:zlib and node:crypto only with what needs them', (host) => {
  const loaded = listLoaded(path.join(LIB, `adapters/${host}/index.js`));
  expect(loaded).toContain('node:path');
  expect(loaded).not.toContain('node:zlib');
  expect(loaded).not.toContain('node:crypto');
});

/** The names of everything that a file imports statically, however indirectly. */
function listLoaded(file: string): Set<string> {
  const loaded = new Set([file]);
  // Items added while the loop runs are visited as well.
  for (const name of loaded) {
    if (!path.isAbsolute(name)) continue;
    const { staticImports, staticExports } = parseSync(name, readFileSync(name, 'utf8')).module;
    const exported = staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    );
    for (const specifier of [...staticImports.map((one) => one.moduleRequest.value), ...exported]) {
      loaded.add(specifier.startsWith('.') ? path.resolve(path.dirname(name), specifier) : specifier);
    }
  }
  return loaded;
}
