import type { Plugin } from 'rolldown';

import { findMisnamed, toMisnamedProblem } from '../misnamed-module.ts';
import { createNameList } from '../../app/written-name.ts';
import type { Problem } from '../../problem.ts';

/** Reports each import of the app that names a file in another letter case than the disk has it. */
export function createFileNamesPlugin(projectRoot: string, { report }: { report: (problem: Problem) => void }): Plugin {
  return {
    name: 'appkit:file-names',
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
