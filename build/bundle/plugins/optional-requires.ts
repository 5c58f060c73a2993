import { isBuiltin } from 'node:module';

import type { Plugin } from 'rolldown';

/**
 * Packages load optional dependencies by `require` in a `try`. The bundler silently leaves these to run time; anyone
 * who wonders about a missing feature should have seen the name.
 */
export function createOptionalRequirePlugin(warnMissing: (importer: string, specifier: string) => void): Plugin {
  return {
    name: 'appkit:optional-require',
    resolveId: {
      filter: { id: /^[^./\0]/ },
      async handler(id, importer, { kind }) {
        if (kind !== 'require-call' || !importer || isBuiltin(id)) return null;
        const resolved = await this.resolve(id, importer, { kind, skipSelf: true });
        if (!resolved) warnMissing(importer, id);
        return null;
      },
    },
  };
}
