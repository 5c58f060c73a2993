import path from 'node:path';

import type { Plugin } from 'rolldown';

import type { JobFile } from '../../app/job-name.ts';

/** A `+job` file, also with a query. */
const JOB_FILE = /\+job\.[cm]?[jt]sx?(?:\?|$)/;

/**
 * Gives each job its name, wherever the file is imported: `enqueue()` receives the job and not the file. The name is
 * set in a line at the end of the module, so that no other line moves.
 *
 * @param findJobs – lists the jobs of the app; in development they come and go.
 */
export function createJobNamesPlugin(
  projectRoot: string,
  findJobs: () => readonly Pick<JobFile, 'file' | 'job'>[],
): Plugin & { name: string } {
  return {
    name: 'appkit:job-names',
    transform: {
      // The module is still unchanged: only this plugin has to know its syntax.
      order: 'pre',
      filter: { id: JOB_FILE },
      handler(code, id) {
        const source = path.normalize(id.replace(/\?.*/, ''));
        const found = findJobs().find(({ file }) => path.join(projectRoot, file) === source);
        if (!found) return null;
        const own = JSON.stringify(`./${path.basename(source)}`);
        const name = JSON.stringify(found.job);
        return {
          code: `${code}\nimport * as appkitOwn from ${own}; if (appkitOwn.default?.['~job']) appkitOwn.default['~job'].name = ${name};\n`,
          map: null,
        };
      },
    },
  };
}
