import { isBuiltin } from 'node:module';

import type { Plugin } from 'rolldown';

/**
 * Packages ask for others they can do without by `require` in a `try`. The bundler leaves these to run time without a
 * word; whoever wonders about a missing feature should have seen the name.
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
