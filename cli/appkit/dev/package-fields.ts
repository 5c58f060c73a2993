import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withoutMark } from '../env-file.ts';

/** The fields of each `package.json` that say how modules are found: `start` reads them once. */
export interface PackageFields {
  /**
   * Whether these fields have changed since the last call. Of another file than the app's own, they are not known before the first change, which
   * says yes. A file that is new, or that an export has written, does not count.
   */
  haveChanged(file: string, event: string): boolean;
}

/**
 * Reads the fields of the app's own `package.json`.
 *
 * @param own – its absolute path.
 */
export function readPackageFields(own: string): PackageFields {
  const known = new Map([[own, fieldsOf(own)]]);
  const folder = path.dirname(own);
  return {
    haveChanged(file, event) {
      if (isWritten(path.relative(folder, file))) return false;
      const fields = fieldsOf(file);
      // An editor may be writing it.
      if (fields === undefined) return false;
      const isNew = event === 'add' && !known.has(file);
      const before = known.get(file);
      known.set(file, fields);
      return !isNew && !isDeepStrictEqual(fields, before);
    },
  };
}

/** Whether a file is one of an export, which writes into a hidden folder first. */
function isWritten(relative: string): boolean {
  return /^(?:dist|\.[^.\\/][^\\/]*)[\\/]/.test(relative);
}

function fieldsOf(file: string): object | undefined {
  try {
    const manifest: unknown = JSON.parse(withoutMark(readFileSync(file, 'utf8')));
    const { browser, exports, imports, main, module, type } = manifest as Record<string, unknown>; // null throws
    return { browser, exports, imports, main, module, type };
  } catch {
    return undefined;
  }
}
