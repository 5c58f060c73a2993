import type { Plugin } from 'vite';

import { findMisnamed, toMisnamedProblem } from '../bundle/misnamed-module.ts';
import { ExportError } from '../problem.ts';

/**
 * Refuses in development what fails an export: an import that names a file in another letter case than the disk has it.
 */
export function createFileNamesGuard(projectRoot: string): Plugin {
  return {
    name: 'appkit:file-names-guard',
    load: {
      order: 'pre',
      filter: { id: { exclude: /[\\/]node_modules[\\/]|\0/ } },
      handler(id) {
        const misnamed = findMisnamed(id, { projectRoot });
        if (!misnamed) return;
        const graph = this.environment.mode === 'dev' ? this.environment.moduleGraph : undefined;
        const [importer] = graph?.getModuleById(id)?.importers ?? [];
        throw new ExportError([toMisnamedProblem(misnamed, { importer: importer?.id ?? undefined, projectRoot })]);
      },
    },
  };
}
