import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { quoteForShell } from './quote-for-shell.ts';
import { UriSchemeError } from './uri-scheme-error.ts';

/** A file that was read, and its name in messages. */
export interface SourceFile {
  /** Its absolute path. */
  path: string;
  /** Its path for messages, relative to the project. */
  file: string;
  /** The entire text, including a byte order mark. */
  text: string;
}

/**
 * Reads a text file without changing any byte.
 *
 * @throws UriSchemeError when it cannot be read, or is not UTF-8: it could not be written back unchanged.
 */
export async function readSource(root: string, location: string): Promise<SourceFile> {
  const absolute = path.resolve(root, location);
  const file = path.relative(root, absolute) || absolute;
  const bytes = await readFile(absolute).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'There is no such file.' : `It cannot be read: ${error.message}.`;
    const fix = error.code === 'ENOENT' ? 'Correct the path.' : 'Check what it is and who may read it.';
    const code = error.code === 'ENOENT' ? 'ERR_FILE_NOT_FOUND' : 'ERR_FILE_UNREADABLE';
    throw new UriSchemeError(code, reason, { fix, file, cause: error });
  });
  if (bytes.subarray(0, 6).toString('latin1') === 'bplist') {
    const fix = `Convert it with: plutil -convert xml1 ${quoteForShell(path.relative('', absolute))}`;
    throw new UriSchemeError('ERR_FILE_UNSUPPORTED', 'This is a binary property list.', { fix, file });
  }
  try {
    return { path: absolute, file, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (cause) {
    const fix = 'Save it as UTF-8.';
    throw new UriSchemeError('ERR_FILE_UNSUPPORTED', 'This is not UTF-8.', { fix, file, cause });
  }
}
