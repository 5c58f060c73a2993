import type { Plugin } from 'rolldown';
import { parseSync } from 'rolldown/utils';

import { blank } from './blank.ts';

/**
 * Removes `import type` from CommonJS modules in TypeScript, those with `export =`: the bundler (rolldown 1.2) takes
 * such a module for an ES module, in which `module.exports` means nothing.
 */
export function createTypeImportsPlugin(): Plugin {
  return {
    name: 'appkit:type-imports',
    transform: {
      filter: { id: /\.(?:c?ts|tsx)$/, code: /\bexport\s*=/ },
      handler: (code, id) => ({ code: removeTypeImports(code, id), map: null }),
    },
  };
}

function removeTypeImports(code: string, file: string): string {
  const { body } = parseSync(file, code).program;
  if (!body.some(({ type }) => type === 'TSExportAssignment')) return code;
  const imports = body.filter((statement) => statement.type === 'ImportDeclaration' && statement.importKind === 'type');
  return blank(
    code,
    imports.map(({ start, end }) => [start, end] as const),
  );
}
