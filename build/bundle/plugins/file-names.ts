import type { Plugin } from 'rolldown';

import { findMisnamedInStyles, STYLE_SHEET } from '../misnamed-in-styles.ts';
import { findMisnamed, toMisnamedProblem } from '../misnamed-module.ts';
import { createNameList } from '../../app/written-name.ts';
import type { Problem } from '../../problem.ts';

/** Reports where the app imports a file, or names one in a style sheet, in another letter case than the disk has it. */
export function createFileNamesPlugin(projectRoot: string, { report }: { report: (problem: Problem) => void }): Plugin {
  const styled = createNameList();
  return {
    name: 'appkit:file-names',
    transform: {
      // Before Vite compiles it.
      order: 'pre',
      filter: { id: STYLE_SHEET },
      handler(code, id) {
        for (const problem of findMisnamedInStyles({ id, code }, { projectRoot, list: styled })) report(problem);
      },
    },
    buildEnd() {
      const list = createNameList();
      for (const id of this.getModuleIds()) {
        const misnamed = findMisnamed(id, { projectRoot, list });
        if (!misnamed) continue;
        const { importers = [], dynamicImporters = [] } = this.getModuleInfo(id) ?? {};
        for (const importer of [...importers, ...dynamicImporters]) {
          report(toMisnamedProblem(misnamed, { importer, projectRoot }));
        }
      }
    },
  };
}
