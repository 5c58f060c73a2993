import type { Plugin } from 'vite';

import { findMisnamedInStyles, STYLE_SHEET } from '../bundle/misnamed-in-styles.ts';
import { findMisnamed, toMisnamedProblem } from '../bundle/misnamed-module.ts';
import { ExportError } from '../problem.ts';

/**
 * Refuses in development what fails an export: an import, or a name in a style sheet, in another letter case than the disk has the file.
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
    transform: {
      order: 'pre',
      filter: { id: { include: STYLE_SHEET, exclude: /[\\/]node_modules[\\/]|\0/ } },
      handler(code, id) {
        const problems = findMisnamedInStyles({ id, code }, { projectRoot });
        if (problems.length > 0) throw new ExportError(problems);
      },
    },
  };
}
