import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tellWatcher } from './generic/process-group.ts';

/** A folder for temporary files. Keep it with `await using`, which removes it. */
export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

/**
 * Makes an empty folder. It is removed when this process ends, however it ends: see group-watcher.ts.
 *
 * @param options – with `keep` it stays; `parent` is the folder to make it in, by default the system's temporary folder.
 */
export async function createTemporaryFolder(
  prefix: string,
  { keep = false, parent = tmpdir() } = {},
): Promise<TemporaryFolder> {
  const made = await mkdtemp(path.join(parent, prefix));
  // Tests that run a program as another user keep its files there.
  await chmod(made, 0o755);
  if (keep) return { path: made, async [Symbol.asyncDispose]() {} };
  tellWatcher('made', made);
  return {
    path: made,
    async [Symbol.asyncDispose]() {
      await rm(made, { recursive: true, force: true });
      tellWatcher('removed', made);
    },
  };
}
