import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { withoutMark } from '../env-file.ts';

/** The fields of each `package.json` that say how modules are found: `start` reads them once. */
export interface PackageFields {
  /** Whether these fields have changed since the last call. The first call for another file than the app's own says yes. */
  haveChanged(file: string): boolean;
}

/**
 * Reads the fields of the app's own `package.json`.
 *
 * @param own – its absolute path.
 */
export function readPackageFields(own: string): PackageFields {
  const known = new Map([[own, fieldsOf(own)]]);
  return {
    haveChanged(file) {
      const fields = fieldsOf(file);
      // An editor may be writing it.
      if (fields === undefined) return false;
      const before = known.get(file);
      known.set(file, fields);
      return !isDeepStrictEqual(fields, before);
    },
  };
}

function fieldsOf(file: string): object | undefined {
  try {
    const manifest: unknown = JSON.parse(withoutMark(readFileSync(file, 'utf8')));
    const { exports, imports, main, module, type } = manifest as Record<string, unknown>; // null throws
    return { exports, imports, main, module, type };
  } catch {
    return undefined;
  }
}
