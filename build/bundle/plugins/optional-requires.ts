import { isBuiltin } from 'node:module';
import path from 'node:path';

import type { Plugin } from 'rolldown';

/**
 * Packages load optional dependencies by `require` in a `try`. The bundler silently leaves these to run time; anyone
 * who wonders about a missing feature should have seen the name.
 */
export function createOptionalRequirePlugin(warnMissing: (importer: string, specifier: string) => void): Plugin {
  return {
    name: 'appkit:optional-require',
    // Not when each import is resolved: the bundler waits for every call, and most imports are found.
    async buildEnd() {
      const ids = [...this.getModuleIds()];
      const outside = new Set(ids.filter((id) => /^[^./\0]/.test(id) && !path.isAbsolute(id) && !isBuiltin(id)));
      if (outside.size === 0) return;
      for (const importer of ids) {
        for (const id of this.getModuleInfo(importer)?.importedIds ?? []) {
          if (!outside.has(id)) continue;
          const resolved = await this.resolve(id, importer, { kind: 'require-call', skipSelf: true });
          if (!resolved) warnMissing(importer, id);
        }
      }
    },
  };
}
