import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { callGet, exportFiles, exportProblems } from '../../fixtures/create-project.ts';
import { createSite } from '../../fixtures/create-site.ts';
import { describeApp, findFileProblems } from '../../development.ts';
import { ExportError, exportApp } from '../../index.ts';
import type { Problem } from '../../index.ts';

const TSCONFIG = '{"compilerOptions":{"experimentalDecorators":true}}';
const ROUTE = "import { Thing } from '../lib/thing.ts';\nexport const GET = () => Response.json(new Thing().name());";
const THING = [
  '// Not one: @nothing',
  'const loud = (given: any, name: any, found?: any): any =>',
  '  found ? { ...found, value: () => `${found.value()}!` } : given;',
  'export class Thing {',
  "  @loud name() { return 'mail@host'; }",
  '}',
].join('\n');
const FIELD =
  'const accessor = 1;\nexport class Thing { static accessor count = accessor; name() { return Thing.count; } }';
const USING = 'using open = { [Symbol.dispose]() {} };\nexport const used = open;';

const toText = ({ file, line, column, message, fix }: Problem): string => `${file}:${line}:${column} ${message} ${fix}`;

const STANDARD =
  'Node and browsers cannot run decorators, and the bundler compiles only those of TypeScript. ' +
  'Set "experimentalDecorators": true in the compilerOptions of tsconfig.json, and write the decorators for it.';
const ACCESSOR =
  'Node and browsers cannot run fields with accessor, and the bundler does not compile them by default. ' +
  'Write a getter and a setter, or set "experimentalDecorators": true in the compilerOptions of tsconfig.json.';
const LOST = 'The bundler loses decorators of a module with using at its top level. Move the using into a function.';

describe('decorators', () => {
  it('of the standard are refused in a module of a route', async () => {
    const files = { 'app/a+api.ts': ROUTE, 'lib/thing.ts': THING };
    expect((await exportProblems(files)).map(toText)).toEqual([`lib/thing.ts:5:3 ${STANDARD}`]);
  });

  it('are refused in JavaScript, for which TypeScript has no options', async () => {
    const route =
      'const as = (given) => given;\nconst named = @as class {};\nexport const GET = () => Response.json(String(named));';
    const problems = await exportProblems({ 'tsconfig.json': TSCONFIG, 'app/a+api.js': route });
    expect(problems.map(toText)).toEqual([`app/a+api.js:2:15 ${STANDARD} Only TypeScript files follow it.`]);
  });

  it('have accessor fields with them, which are refused too', async () => {
    const files = { 'app/a+api.ts': ROUTE, 'lib/thing.ts': FIELD };
    expect((await exportProblems(files)).map(toText)).toEqual([`lib/thing.ts:2:22 ${ACCESSOR}`]);
  });

  it('have accessor fields with them, which run as those of TypeScript do', async () => {
    const { outputDir } = await exportFiles({
      'tsconfig.json': TSCONFIG,
      'app/a+api.ts': ROUTE,
      'lib/thing.ts': FIELD,
    });
    expect(await callGet(outputDir, 'a+api.js')).toBe(1);
  });

  it('leave alone what is only called accessor', async () => {
    const route = [
      'class Thing { accessor = 1; static accessor () { return new Thing().accessor + 1; } }',
      'export const GET = () => Response.json(Thing.accessor ());',
    ].join('\n');
    const { outputDir } = await exportFiles({ 'app/a+api.ts': route });
    expect(await callGet(outputDir, 'a+api.js')).toBe(2);
  });

  it('of TypeScript run in routes', async () => {
    const { outputDir } = await exportFiles({
      'tsconfig.json': TSCONFIG,
      'app/a+api.ts': ROUTE,
      'lib/thing.ts': THING,
    });
    expect(await callGet(outputDir, 'a+api.js')).toBe('mail@host!');
  });

  it('are refused next to using at the top level, where the bundler loses them', async () => {
    const files = { 'tsconfig.json': TSCONFIG, 'app/a+api.ts': ROUTE, 'lib/thing.ts': `${THING}\n${USING}` };
    expect((await exportProblems(files)).map(toText)).toEqual([`lib/thing.ts:7:1 ${LOST}`]);
  });

  it('are explained in development', async () => {
    const projectRoot = await createSite({ 'app/a+api.ts': ROUTE, 'lib/thing.ts': THING });
    const problems = await findFileProblems(await describeApp({ projectRoot }), 'app/a+api.ts');
    expect(problems.map(toText)).toEqual([`lib/thing.ts:5:3 ${STANDARD}`]);
  });

  it('have accessor fields with them, which are explained in development', async () => {
    const projectRoot = await createSite({
      'app/a+api.ts': 'class A { accessor a = 1; }\nexport const GET = () => new A();',
    });
    const problems = await findFileProblems(await describeApp({ projectRoot }), 'app/a+api.ts');
    expect(problems.map(toText)).toEqual([`app/a+api.ts:1:11 ${ACCESSOR}`]);
  });

  it('of the standard are refused in a page', async () => {
    const projectRoot = await createSite({
      'app.json': '{"web":{"output":"server"}}',
      'lib/thing.ts': THING,
      'app/index.tsx': "import { Thing } from '../lib/thing.ts';\nexport default () => <p>{new Thing().name()}</p>;",
    });
    const error = await exportApp({ projectRoot }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExportError);
    expect((error as ExportError).problems.map(toText)).toEqual([`lib/thing.ts:5:3 ${STANDARD}`]);
  });

  it('run in a page when a plugin of the app compiles them', async () => {
    const projectRoot = await createSite({
      'app.json': '{"web":{"output":"static"}}',
      'vite.config.js': [
        "const plugin = { name: 'compile', enforce: 'pre', transform: (code, id) =>",
        "  id.endsWith('thing.ts') ? code.replace(/ @loud name/, ' name') : null };",
        'export default { plugins: [plugin] };',
      ].join('\n'),
      'lib/thing.ts': THING,
      'app/index.tsx': "import { Thing } from '../lib/thing.ts';\nexport default () => <p>{new Thing().name()}</p>;",
    });
    await exportApp({ projectRoot });
    expect(await readFile(path.join(projectRoot, 'dist/client/index.html'), 'utf8')).toContain('<p>mail@host</p>');
  });
});
