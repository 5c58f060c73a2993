import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { exportProblems } from '../../fixtures/create-project.ts';
import { createSite } from '../../fixtures/create-site.ts';
import { exportApp } from '../../index.ts';
import type { ExportError } from '../../index.ts';
import { formatProblem } from '../../problem.ts';

const FIX =
  'Write the name as the file has it: Linux finds no other, and where another is found, the module is loaded twice.';

/** Lists `lib/db.ts` as `lib/Db.ts`: as on a disk that ignores letter case, it is found by either name. */
function ignoreLetterCase(): void {
  const { readdirSync } = fs;
  const list = (folder: string, ...rest: unknown[]): unknown => {
    const names: unknown[] = (readdirSync as (...all: unknown[]) => unknown[])(folder, ...rest);
    return path.basename(folder) === 'lib' ? names.map((name) => (name === 'db.ts' ? 'Db.ts' : name)) : names;
  };
  fs.readdirSync = list as typeof readdirSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.readdirSync = readdirSync;
    syncBuiltinESMExports();
  });
}

it('refuses an import of a route, and of a module of it, in another letter case than the file has', async () => {
  ignoreLetterCase();
  const problems = await exportProblems({
    'lib/db.ts': 'export const db = { count: 0 };',
    'lib/users.ts': "export const later = () => import('./db');",
    'app/a+api.ts':
      "import * as users from '../lib/users.ts';\nimport { db } from '../lib/db.ts';\nexport const GET = () => Response.json({ db, users });",
  });
  expect(problems.map(formatProblem)).toEqual([
    `app/a+api.ts:2:20: It imports lib/db.ts, but the file is called lib/Db.ts. ${FIX}`,
    `lib/users.ts:1:35: It imports lib/db.ts, but the file is called lib/Db.ts. ${FIX}`,
  ]);
});

it('refuses an import of a page', async () => {
  ignoreLetterCase();
  const projectRoot = await createSite({
    'lib/db.ts': "export const title = 'title';",
    'app/index.tsx': "import { title } from '../lib/db';\nexport default () => <h1>{title}</h1>;",
  });
  const error = await exportApp({ projectRoot }).catch((reason: unknown) => reason);
  expect((error as ExportError).problems.map(formatProblem)).toEqual([
    `app/index.tsx:1:23: It imports lib/db.ts, but the file is called lib/Db.ts. ${FIX}`,
  ]);
});

it('is named where the import finds nothing, as on Linux', async () => {
  const problems = await exportProblems({
    'lib/Db.ts': 'export const db = { count: 0 };',
    'lib/Mail/Index.ts': 'export const mail = 1;',
    'app/a+api.ts':
      "import { db } from '../lib/db';\nimport { mail } from '../Lib/mail/index.ts';\nexport const GET = () => Response.json({ db, mail });",
  });
  expect(problems.map(formatProblem)).toEqual([
    "app/a+api.ts:1:20: Nothing was found for '../lib/db'. Correct the path: the file is called lib/Db.ts.",
    "app/a+api.ts:2:22: Nothing was found for '../Lib/mail/index.ts'. Correct the path: the file is called lib/Mail/Index.ts.",
  ]);
});
