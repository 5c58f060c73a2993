import { expect, it } from 'vitest';

import { toProblem } from './bundler-log.ts';

// The tests may run as root, who may read every file.
it('says that this user may not read a file', () => {
  const message = '[UNLOADABLE_DEPENDENCY] Could not load app/a+api.ts - Permission denied (os error 13).\n';
  expect(toProblem({ code: 'UNLOADABLE_DEPENDENCY', message }, { projectRoot: '/app', entry: 'app/a+api.ts' })).toEqual(
    {
      file: 'app/a+api.ts',
      message: 'Could not load app/a+api.ts - Permission denied (os error 13).',
      fix: 'Check that the file exists, and that this user may read it.',
    },
  );
});
