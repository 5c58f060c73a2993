import { randomUUID } from 'node:crypto';
import { access, chmod, constants, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UriSchemeError } from './uri-scheme-error.ts';

/** A text that replaces an existing file. */
export interface PlannedFile {
  path: string;
  /** What messages call it. */
  file: string;
  text: string;
}

/**
 * Writes all of the files or none. Each is complete at any moment, and keeps its mode.
 *
 * @throws UriSchemeError when one cannot be written; then all are unchanged.
 */
export async function writeFiles(files: readonly PlannedFile[]): Promise<void> {
  const staged: { file: string; target: string; temporary: string; before: Buffer }[] = [];
  let replaced = 0;
  let current = '';
  try {
    // The likely failures happen here: a full disk, a folder that is not writable.
    for (const planned of files) {
      current = planned.file;
      // Where a symbolic link leads, so that the link stays.
      const target = await realpath(planned.path);
      await access(target, constants.W_OK); // renaming would replace a read-only file
      const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}`);
      staged.push({ file: current, target, temporary, before: await readFile(target) });
      const { mode } = await stat(target);
      await writeFile(temporary, planned.text, { flag: 'wx', mode });
      await chmod(temporary, mode); // what the umask took away
    }
    for (const { file, target, temporary } of staged) {
      current = file;
      await rename(temporary, target);
      replaced++;
    }
  } catch (cause) {
    for (const { target, before } of staged.slice(0, replaced)) await writeFile(target, before);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const fix = 'All files are unchanged. Check who may write there, and run this again.';
    throw new UriSchemeError('ERR_WRITE_FAILED', `It could not be written: ${reason}.`, { fix, file: current, cause });
  } finally {
    for (const { temporary } of staged) await rm(temporary, { force: true });
  }
}
