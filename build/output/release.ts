import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Manifest } from 'appkit-server/manifest';

import type { TracedFile } from '../packages/trace-externals.ts';
import { listFiles } from './list-files.ts';

/**
 * Names the release of a build whose responses may be cached: the same for the same modules, packages and settings.
 *
 * @param folder – the server build, with its modules already written.
 * @returns `undefined` if nothing may be cached.
 */
export async function toRelease(
  folder: string,
  { manifest, externals }: { manifest: Manifest; externals: readonly TracedFile[] },
): Promise<string | undefined> {
  if (!manifest.usesCache && !manifest.cache) return undefined;
  const hash = createHash('sha256').update(JSON.stringify(manifest));
  const modules = await listFiles(folder, { except: (name) => name.endsWith('.map') });
  const files = [
    ...modules.map((name) => ({ name, from: path.join(folder, name) })),
    ...externals.map(({ from, to }) => ({ name: to, from })),
  ];
  for (const { name, from } of files) {
    const content = readFileSync(from);
    // With its length, so that no two lists of files produce the same bytes.
    hash.update(`\n${JSON.stringify(name)} ${content.length}\n`).update(content);
  }
  return hash.digest('base64url').slice(0, 22);
}
