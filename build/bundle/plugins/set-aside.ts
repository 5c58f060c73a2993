import path from 'node:path';

import type { Plugin, RolldownLog } from 'rolldown';

import type { LogContext } from '../bundler-log.ts';
import type { Problem } from '../../problem.ts';

/** What later attempts ignore. */
export interface SetAside {
  /** Importer and specifier of unresolved imports. */
  imports: Set<string>;
  /** Files that cannot be parsed. */
  files: Set<string>;
  missingExports: boolean;
  /** Compile JSX even if `tsconfig.json` says to preserve it. */
  forceJsx: boolean;
}

/** Records what an error was about. Returns whether that was new, so that another attempt can find more. */
export function putAside(
  log: RolldownLog,
  problem: Problem | undefined,
  { setAside, context }: { setAside: SetAside; context: LogContext },
): boolean {
  if (log.code === 'MISSING_EXPORT') {
    const isNew = !setAside.missingExports;
    setAside.missingExports = true;
    return isNew;
  }
  if (!problem) return false;
  const file = path.resolve(context.projectRoot, problem.file);
  const [set, key] =
    log.code === 'UNRESOLVED_IMPORT' ? [setAside.imports, toImportKey(file, log.exporter)] : [setAside.files, file];
  const isNew = !set.has(key) && (log.code === 'UNRESOLVED_IMPORT' || problem.line !== undefined);
  set.add(key);
  return isNew;
}

/** Makes the bundler ignore everything that was set aside. */
export function createSetAsidePlugin({ imports, files }: SetAside): Plugin | undefined {
  if (imports.size + files.size === 0) return undefined;
  return {
    name: 'appkit:set-aside',
    resolveId(id, importer) {
      return importer && imports.has(toImportKey(importer, id)) ? { id, external: true } : null;
    },
    load(id) {
      // CommonJS, so that an import of it never lacks an export.
      return files.has(id) ? { code: 'module.exports = {};', moduleType: 'js' } : null;
    },
  };
}

function toImportKey(importer: string, specifier: string | undefined): string {
  return `${importer}\0${specifier}`;
}
