import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withoutMark } from '../env-file.ts';

/** The fields of each `package.json` that say how modules are found: `start` reads them once. */
export interface PackageFields {
  /**
   * Whether these fields have changed since the last call. Of a linked package, they are not known before the first change, which says yes. Other
   * files inside the app are no packages: an export and the app itself write some.
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
  const folder = path.dirname(own) + path.sep;
  return {
    haveChanged(file, event) {
      if (file !== own && path.normalize(file).startsWith(folder)) return false;
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

function fieldsOf(file: string): object | undefined {
  try {
    const manifest: unknown = JSON.parse(withoutMark(readFileSync(file, 'utf8')));
    const { browser, exports, imports, main, module, type } = manifest as Record<string, unknown>; // null throws
    return { browser, exports, imports, main, module, type };
  } catch {
    return undefined;
  }
}
