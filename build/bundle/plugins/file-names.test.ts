import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { exportProblems } from '../../fixtures/create-project.ts';
import { createSite } from '../../fixtures/create-site.ts';
import { exportApp } from '../../index.ts';
import type { ExportError } from '../../index.ts';
import { formatProblem } from '../../problem.ts';
import { findMisnamedInStyles } from '../misnamed-in-styles.ts';

const FIX =
  'Write the name as the file has it: Linux finds no other, and where another is found, the module is loaded twice.';

const FIX_OF_STYLES = 'Write the name as the file has it: Linux finds no other.';

/** Lists `lib/db.ts` as `lib/Db.ts`, and a style sheet likewise: as on a disk that ignores letter case, it is found by either name. */
function ignoreLetterCase(): void {
  const { readdirSync } = fs;
  const list = (folder: string, ...rest: unknown[]): unknown => {
    const names: unknown[] = (readdirSync as (...all: unknown[]) => unknown[])(folder, ...rest);
    return path.basename(folder) === 'lib'
      ? names.map((name) => (typeof name === 'string' ? name.replace(/^db\./, 'Db.') : name))
      : names;
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

it('refuses a file of a style sheet, and of one that it imports, in another letter case than the file has', async () => {
  const projectRoot = await createSite({
    'app/index.tsx': "import './look.css';\nexport default () => <h1>title</h1>;",
    'app/look.css': `@import "./fonts.css";
/* url(./Comment.png) */
.a { background: url(./Logo.png) }
.b { background: url("../Images/sky%20blue.png?v=1"), url( 'logo.png#x' ), url(https://cdn.example/Logo.png) }
.c { background: url(Logo.png); mask: url(/Logo.png), url(data:image/png;base64,Logo.png), url(#Logo) }
.d { background: url(./missing.png) }`,
    'app/fonts.css': '@font-face { font-family: a; src: url(Font.woff2) }',
    'app/font.woff2': 'font',
    'app/logo.png': 'logo',
    'app/comment.png': 'comment',
    'images/sky blue.png': 'sky',
  });
  const error = await exportApp({ projectRoot }).catch((reason: unknown) => reason);
  expect((error as ExportError).problems.map(formatProblem)).toEqual([
    `app/fonts.css:1:39: It names app/Font.woff2, but the file is called app/font.woff2. ${FIX_OF_STYLES}`,
    `app/look.css:3:22: It names app/Logo.png, but the file is called app/logo.png. ${FIX_OF_STYLES}`,
    `app/look.css:4:22: It names Images/sky blue.png, but the file is called images/sky blue.png. ${FIX_OF_STYLES}`,
    `app/look.css:5:22: It names app/Logo.png, but the file is called app/logo.png. ${FIX_OF_STYLES}`,
  ]);
});

it('refuses a style sheet that another imports in another letter case than the file has', async () => {
  ignoreLetterCase();
  const projectRoot = await createSite({
    'lib/db.css': 'h1 { color: red }',
    'app/index.tsx': "import './look.css';\nexport default () => <h1>title</h1>;",
    'app/look.css': "@import url('../lib/db.css');",
  });
  const error = await exportApp({ projectRoot }).catch((reason: unknown) => reason);
  expect((error as ExportError).problems.map(formatProblem)).toEqual([
    `app/look.css:1:13: It names lib/db.css, but the file is called lib/Db.css. ${FIX_OF_STYLES}`,
  ]);
});

it('knows the other places where a style sheet names files, and the strings that name none', async () => {
  ignoreLetterCase();
  const projectRoot = await createSite({
    'lib/db.css': '.a { color: red }',
    'app/index.tsx': "import './look.css';\nexport default () => <h1>title</h1>;",
    'app/look.css': `@import"../lib/db.css";
@import url( "../lib/db.css" );
.a { composes: a from "../lib/db.css" }
.b { background: image-set("Logo.png" type("image/Logo.png") 1x, url(Logo.png) 2x, 'Logo.png' 3x) }
.c { content: "url(Logo.png)"; quotes: "/*" 'url("Logo.png")' }
.d { content: "it's \\" url(Logo.png)"; background: url(Logo.png) }
.e { content: "Logo.png" "*/" } /* it's "url(Logo.png) */
.f { background: URL('Logo.png') } /* url(Logo.png)`,
    'app/logo.png': 'logo',
  });
  const problems = findMisnamedInStyles(
    {
      id: path.join(projectRoot, 'app/look.css'),
      code: fs.readFileSync(path.join(projectRoot, 'app/look.css'), 'utf8'),
    },
    { projectRoot },
  );
  expect(problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 8],
    [2, 14],
    [3, 23],
    [4, 28],
    [4, 70],
    [4, 84],
    [6, 56],
    [8, 22],
  ]);
});

it('reads a style sheet with a file of 20 MB in it', () => {
  const code = `.a { background: url("data:image/png;base64,${'A'.repeat(20_000_000)}") }`;
  expect(findMisnamedInStyles({ id: '/app/look.css', code }, { projectRoot: '/app' })).toEqual([]);
});
