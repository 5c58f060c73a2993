import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';

import { buildClient } from '../fixtures/build-client.ts';
import { createProject } from '../fixtures/create-project.ts';
import { createClientGuardPlugin } from './client-guard.ts';
import { createStripServerExportsPlugin } from './strip-server-exports.ts';

const PAGE = 'export default function Page() { return "page-text"; }\n';
const DATABASE =
  'console.log("database-side-effect"); export const db = { url: "postgres://secret-host", read() {} };\n';
const NO_SECRET = /secret-|database-side-effect/;

describe('the server exports of a page', () => {
  it('is not in the client: a loader that is a function', async () => {
    const { text, problems } = await buildClient({
      'app/index.tsx': `export function loader() { return 'secret-1'; }\n${PAGE}`,
    });
    expect(problems).toEqual([]);
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is not in the client: an async function and an arrow', async () => {
    const { text } = await buildClient({
      'app/index.tsx': `export async function loader() { return 'secret-1'; }\nexport const generateStaticParams = async () => [{ id: 'secret-2' }];\n${PAGE}`,
    });
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('also removes a module with side effects that only a loader used', async () => {
    const { text, modules, projectRoot } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `import { db } from '../lib/db';\nexport const loader = () => db.read();\n${PAGE}`,
    });
    expect(text).not.toMatch(NO_SECRET);
    expect([...modules.keys()]).not.toContain(path.join(projectRoot, 'lib/db.ts'));
  });

  it('also removes declarations, and those that only they used', async () => {
    const { text, modules, projectRoot } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `import * as all from '../lib/db';
import connect, { type Row } from '../lib/other';
enum Kind { A = 'secret-enum' }
class Store { static kind = console.log('secret-class'); key = Kind.A }
const key = 'secret-key', label = 'label-of-page';
let pool: Row | undefined = connect('secret-initial');
pool = connect(all.db.url);
function helper() { return new Store().key + key + pool; }
export async function loader() { pool ??= connect(key); return helper(); }
loader.limit = 'secret-limit';
export default function Page() { return label; }`,
      'lib/other.ts': 'console.log("secret-other"); export type Row = string; export default (x: string): Row => x;',
    });
    expect(text).toContain('label-of-page');
    expect(text).not.toMatch(NO_SECRET);
    expect([...modules.keys()]).not.toContain(path.join(projectRoot, 'lib/other.ts'));
  });

  it('keeps what the component also uses', async () => {
    const { text, problems } = await buildClient({
      'lib/format.ts':
        'export const format = (x: string) => "formatted-" + x; export const hide = () => "secret-hidden";',
      'app/index.tsx': `import { hide, format } from '../lib/format';
const both = 'used-by-both';
export const loader = () => hide() + format(both);
export default function Page() { return format(both); }`,
    });
    expect(problems).toEqual([]);
    expect(text).toMatch(/formatted-[\s\S]*used-by-both/);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('also removes an import whose name the component uses for something else', async () => {
    const { text } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `import { db } from '../lib/db';
export const loader = () => db.read();
export default function Page({ db }: { db: string }) { return 'page-text' + db; }`,
    });
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('also removes an import of which the component needs only the type', async () => {
    const { text } = await buildClient({
      'tsconfig.json': '{"compilerOptions":{"verbatimModuleSyntax":true}}',
      'lib/db.ts': `${DATABASE} export interface Row { id: string }`,
      'app/index.tsx': `import { db, type Row } from '../lib/db';
export const loader = (): Row => db.read();
const cast = (x: unknown) => x as typeof db;
export default function Page(row: Row) { return 'page-text' + cast(row.id) + (null as unknown as ReturnType<typeof loader>); }`,
    });
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is found under another name', async () => {
    const { text } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `import { db } from '../lib/db';\nconst read = () => db.read();\nexport { read as loader, Page as default };\nfunction Page() { return 'page-text'; }`,
    });
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is found in a string, and with an escape', async () => {
    const { text } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `import { db } from '../lib/db';\nconst read = () => db.read();\nexport { read as "l\\u006fader" };\n${PAGE}`,
    });
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is not loaded when it comes from another module', async () => {
    const { text, modules, projectRoot } = await buildClient({
      'lib/data.ts': `${DATABASE} export const loader = () => db.read(); export const title = 'title-text';`,
      'lib/view.ts': PAGE,
      'app/index.tsx': "export { loader } from '../lib/data';\nexport { default } from '../lib/view';",
    });
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
    expect([...modules.keys()]).not.toContain(path.join(projectRoot, 'lib/data.ts'));
  });

  it('is not loaded when it is a namespace', async () => {
    const { text } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `export * as loader from '../lib/db';\n${PAGE}`,
    });
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is refused behind export *, even two modules away', async () => {
    const { problems } = await buildClient({
      'lib/data.ts': `${DATABASE} export const loader = () => db.read();`,
      'lib/index.ts': "export * from './data';",
      'app/index.tsx': `${PAGE}export * from '../lib/index';`,
    });
    expect(problems).toEqual([
      {
        file: 'app/index.tsx',
        line: 2,
        column: 1,
        message: "By export * from '../lib/index' the client would load lib/data.ts with its loader.",
        fix: "Name each export: export { default } from '../lib/index'; export { loader } from '../lib/index';",
      },
    ]);
  });

  it('may be next to an export * without server exports', async () => {
    const { text, problems } = await buildClient({
      'lib/meta.ts': "export const title = 'title-text';",
      'app/index.tsx': `export const loader = () => 'secret-1';\n${PAGE}export * from '../lib/meta';`,
    });
    expect(problems).toEqual([]);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is refused when the component calls it', async () => {
    const { problems } = await buildClient({
      'app/index.tsx': "export const loader = () => 'secret-1';\nexport default function Page() { return loader(); }",
    });
    expect(problems).toMatchObject([
      { file: 'app/index.tsx', line: 2, message: expect.stringContaining('The export loader stays on the server') },
    ]);
  });

  it('is refused when the page comes from the same value', async () => {
    const { problems } = await buildClient({
      'app/index.tsx':
        "const make = () => ({ loader: () => 'secret-1', Page: () => 1 });\nexport const { loader, Page } = make();\nexport default Page;",
    });
    expect(problems).toMatchObject([{ file: 'app/index.tsx', message: expect.stringContaining('The export loader') }]);
  });

  it('is not in source maps, which still lead to the line', async () => {
    const { text, files, clientDir } = await buildClient(
      {
        'lib/db.ts': DATABASE,
        'app/index.tsx': `import { db } from '../lib/db';\n// the secret-comment of\nexport const loader = () => db.read('secret-1'); // secret-beside\n\n${PAGE}`,
      },
      { config: { build: { sourcemap: true } } },
    );
    expect(text).not.toMatch(NO_SECRET);
    const file = files.find((name) => /index.*\.map$|app.*\.map$/.test(name)) ?? '';
    const map: { sources: string[]; sourcesContent: string[] } = JSON.parse(
      await readFile(path.join(clientDir, file), 'utf8'),
    );
    expect(map.sources).toEqual([expect.stringMatching(/app\/index\.tsx$/)]);
    expect(map.sourcesContent[0]?.split('\n')[4]).toBe(PAGE.trim());
  });

  it('does not join the lines around it', async () => {
    const { text, problems } = await buildClient({
      'app/index.tsx':
        "const a = 'first-line'\nexport const loader = () => 'secret-1';\n[1].forEach(() => console.log(a))\nexport default () => a",
    });
    expect(problems).toEqual([]);
    expect(text).toMatch(/"first-line";\s*\[1\]\.forEach/);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('leaves JSX and the rest of lists of names', async () => {
    const { text } = await buildClient({
      'lib/parts.ts': 'export default "default-part"; export const a = "part-a", b = "secret-b", c = "part-c";',
      'app/index.tsx': `import main, { a, b, /* the { */ c } from '../lib/parts';
import other, { b as b2 } from '../lib/parts';
import unused, { c as c2 } from '../lib/parts';
export const first = <p>{main}{a}{c}</p>, loader = () => [b, b2, unused];
export default () => <>{first}{other}{c2}</>;`,
    });
    expect(text).toMatch(/default-part[\s\S]*part-a[\s\S]*part-c/);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('leaves the other exports of the module', async () => {
    const { text } = await buildClient({
      'lib/other.ts': "import { both } from '../app/index';\nexport const other = both;",
      'app/index.tsx': `export const both = 'kept-export';\nexport const loader = () => both + 'secret-1';\n${PAGE}`,
      'app/two.tsx': "import { other } from '../lib/other';\nexport default () => other;",
    });
    expect(text).toContain('kept-export');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('leaves the comment that says how JSX is compiled', async () => {
    const { text } = await buildClient({
      'lib/db.ts': DATABASE,
      'app/index.tsx': `/** @jsxImportSource react-for-test */\nimport { db } from '../lib/db';\nexport const loader = () => db;\nexport default () => <p/>;`,
    });
    expect(text).toContain('react-for-test/jsx');
  });

  it('is left alone in a module that is not a page', async () => {
    const { text } = await buildClient({
      'lib/load.ts': "export const loader = () => 'kept-loader';",
      'app/index.tsx': "import { loader } from '../lib/load';\nexport default () => loader();",
    });
    expect(text).toContain('kept-loader');
  });
});

describe('a client that reaches server code', () => {
  const ROUTE = "export const GET = () => Response.json('secret-route'); export interface Answer { id: string }\n";
  const MARKED = "import 'server-only';\nexport const key = 'secret-key';\nexport type Key = string;\n";
  const FETCH =
    'Call the route with fetch. Import types with import type, and move what both need into a separate file.';

  it('is refused: a page imports a route', async () => {
    const { problems, text } = await buildClient({
      'app/data+api.ts': ROUTE,
      'app/index.tsx': "import { GET } from './data+api';\nexport default () => GET();",
    });
    expect(problems).toEqual([
      {
        file: 'app/index.tsx',
        message:
          'app/data+api.ts runs on the server only, and the client would get it: app/index.tsx → app/data+api.ts.',
        fix: FETCH,
      },
    ]);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is refused with every module on the way: through a barrel', async () => {
    const { problems } = await buildClient({
      'app/data+api.ts': ROUTE,
      'lib/format.ts': 'export const format = String;',
      'lib/index.ts': "export * from './format';\nexport * from './server';",
      'lib/server.ts': "export { GET } from '../app/data+api';",
      'app/index.tsx': "import { format } from '../lib/index';\nexport default () => format(1);",
    });
    expect(problems).toMatchObject([
      {
        file: 'lib/server.ts',
        message: expect.stringContaining('app/index.tsx → lib/index.ts → lib/server.ts → app/data+api.ts.'),
      },
    ]);
  });

  it('is refused: by a dynamic import', async () => {
    const { problems, text } = await buildClient({
      'app/data+api.ts': ROUTE,
      'app/index.tsx': "export default async () => (await import('./data+api')).GET();",
    });
    expect(problems).toMatchObject([{ message: expect.stringContaining('app/index.tsx → app/data+api.ts.') }]);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is refused: as text', async () => {
    const { problems, text } = await buildClient({
      'app/data+api.ts': ROUTE,
      'app/index.tsx': `import code from './data+api?raw';\nimport self from './index.tsx?raw';\nexport const loader = () => 'secret-1';\nexport default () => code + self;`,
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('app/index.tsx → app/data+api.ts?raw.'),
      expect.stringContaining('app/index.tsx → app/index.tsx?raw.'),
    ]);
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is refused: a layout imports middleware', async () => {
    const { problems } = await buildClient({
      'app/+middleware.ts': "export const name = 'secret-name'; export default () => {};",
      'app/_layout.tsx': "import { name } from './+middleware';\nexport default () => name;",
    });
    expect(problems).toMatchObject([
      {
        file: 'app/_layout.tsx',
        message: expect.stringContaining('app/_layout.tsx → app/+middleware.ts.'),
        fix: FETCH,
      },
    ]);
  });

  it('is refused for each import, with the shortest chain', async () => {
    const { problems } = await buildClient({
      'app/data+api.ts': ROUTE,
      'lib/a.ts': "export * from './b';",
      'lib/b.ts': "export * from '../app/data+api';",
      'app/one.tsx': "import { GET } from '../lib/a';\nexport default GET;",
      'app/two.tsx': "import { GET } from '../lib/b';\nexport default GET;",
      'app/three.tsx': "import { GET } from './data+api';\nexport default GET;",
    });
    expect(problems.map(({ message }) => message.split(': ').at(-1)).toSorted()).toEqual([
      'app/three.tsx → app/data+api.ts.',
      'app/two.tsx → lib/b.ts → app/data+api.ts.',
    ]);
  });

  it('is refused: a module marked by server-only, which need not be installed', async () => {
    const { problems } = await buildClient({
      'lib/db.ts': MARKED,
      'lib/use.ts': "import { key } from './db';\nexport const use = () => key;",
      'app/index.tsx': "import { use } from '../lib/use';\nexport default () => use();",
    });
    expect(problems).toEqual([
      {
        file: 'lib/use.ts',
        message:
          "lib/db.ts is marked as server code by import 'server-only', and the client would get it: app/index.tsx → lib/use.ts → lib/db.ts.",
        fix: 'Use it in a loader or in a route, and import only its types elsewhere.',
      },
    ]);
  });

  it('is refused: a module marked by the name of appkit-server', async () => {
    const { problems } = await buildClient({
      'lib/db.ts': MARKED.replace('server-only', 'appkit-server/server-only'),
      'app/index.tsx': "import { key } from '../lib/db';\nexport default () => key;",
    });
    expect(problems).toMatchObject([
      { file: 'app/index.tsx', message: expect.stringContaining('lib/db.ts is marked') },
    ]);
  });

  it('is refused: the text of a marked module', async () => {
    const { problems } = await buildClient({
      'lib/db.ts': MARKED,
      'app/index.tsx': "import text from '../lib/db.ts?raw';\nexport default () => text;",
    });
    expect(problems).toMatchObject([
      { file: 'app/index.tsx', message: expect.stringContaining('lib/db.ts?raw is the source') },
    ]);
  });

  it('is refused: a page that is marked itself', async () => {
    const { problems } = await buildClient({ 'app/index.tsx': `import 'server-only';\n${PAGE}` });
    expect(problems).toMatchObject([
      { file: 'app/index.tsx', message: expect.stringContaining('the client would get it: app/index.tsx.') },
    ]);
  });

  it('is refused: appkit-server, which a loader may use', async () => {
    const { problems } = await buildClient({
      'app/good.tsx': `import { StatusError } from 'appkit-server';\nexport const loader = () => { throw new StatusError(404); };\n${PAGE}`,
      'app/bad.tsx': "import { StatusError } from 'appkit-server';\nexport default () => new StatusError(404);",
    });
    expect(problems).toMatchObject([
      { file: 'app/bad.tsx', message: expect.stringContaining('app/bad.tsx → appkit-server.') },
    ]);
  });

  it('is fine when a page needs only types, however they are imported', async () => {
    const { problems, text } = await buildClient({
      'tsconfig.json': '{"compilerOptions":{"verbatimModuleSyntax":true}}',
      'app/data+api.ts': ROUTE,
      'lib/db.ts': MARKED,
      'app/index.tsx': `import type { Answer } from './data+api';
import { type GET } from './data+api';
import { Key } from '../lib/db';
export type { Key } from '../lib/db';
export default (answer: Answer, get: typeof GET, key: Key) => 'page-text' + answer.id + get + key;`,
    });
    expect(problems).toEqual([]);
    expect(text).toContain('page-text');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('is answered with the chain by a development server', async () => {
    const projectRoot = await createProject({
      'package.json': '{"type":"module"}',
      'app/data+api.ts': ROUTE,
      'lib/barrel.ts': "export { GET } from '../app/data+api';",
      'app/index.tsx':
        "import { GET } from '../lib/barrel';\nexport const loader = () => 'secret-1';\nexport default GET;",
    });
    const isPage = (file: string): boolean => path.normalize(file) === path.join(projectRoot, 'app/index.tsx');
    const report = (): void => expect.unreachable('a development server throws');
    const options = { projectRoot, isPage, environment: {}, report };
    const server = await createServer({
      root: projectRoot,
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, ws: false, watch: null },
      plugins: [createStripServerExportsPlugin(options), createClientGuardPlugin(options)],
    });
    try {
      const { client, ssr } = server.environments;
      expect((await client.transformRequest('/app/index.tsx'))?.code).not.toMatch(NO_SECRET);
      await client.transformRequest('/lib/barrel.ts');
      await expect(client.transformRequest('/app/data+api.ts')).rejects.toThrow(
        'app/index.tsx → lib/barrel.ts → app/data+api.ts.',
      );
      expect((await ssr.transformRequest('/app/index.tsx'))?.code).toContain('secret-1');
    } finally {
      await server.close();
    }
  });

  it('is fine when only loaders use marked modules', async () => {
    const { problems, text } = await buildClient({
      'lib/db.ts': MARKED,
      'app/one.tsx': `import { key } from '../lib/db';\nexport const loader = () => key;\n${PAGE}`,
      'app/two.tsx': `import { key } from '../lib/db';\nexport const loader = () => key;\n${PAGE}`,
    });
    expect(problems).toEqual([]);
    expect(text).not.toMatch(NO_SECRET);
  });
});

describe('environment variables in the client', () => {
  const environment = { APPKIT_PUBLIC_NAME: 'public-name', SECRET_NAME: 'secret-name', VITE_NAME: 'secret-vite' };

  it('are available when public, by a name and by a string', async () => {
    const { text } = await buildClient(
      {
        'app/index.tsx':
          "export default () => [process.env.APPKIT_PUBLIC_NAME, process.env['APPKIT_PUBLIC_NAME'], process.env?.APPKIT_PUBLIC_NAME];",
      },
      { environment },
    );
    expect(text.match(/"public-name"/g)).toHaveLength(3);
    expect(text).not.toContain('process.env');
  });

  it('are available when public, by destructuring', async () => {
    const { text } = await buildClient(
      {
        'app/index.tsx':
          'const { APPKIT_PUBLIC_NAME: name, SECRET_NAME } = process.env;\nexport default () => [name, SECRET_NAME];',
      },
      { environment },
    );
    expect(text).toContain('"public-name"');
    expect(text).not.toMatch(NO_SECRET);
  });

  it('are undefined otherwise', async () => {
    const { text } = await buildClient(
      {
        'app/index.tsx':
          'export default () => [process.env.SECRET_NAME, process.env["SECRET_NAME"], import.meta.env, import.meta.env.VITE_NAME];',
      },
      { environment, config: { build: { minify: true } } },
    );
    expect(text).not.toMatch(NO_SECRET);
    expect(text).not.toContain('process.env');
  });

  it('are not taken from the environment of the build with any other prefix', async () => {
    process.env['VITE_APPKIT_TEST'] = 'secret-from-vite';
    try {
      const { text } = await buildClient({
        'app/index.tsx': 'export default () => [import.meta.env, import.meta.env.VITE_APPKIT_TEST];',
      });
      expect(text).not.toMatch(NO_SECRET);
    } finally {
      delete process.env['VITE_APPKIT_TEST'];
    }
  });
});

describe('the proof', () => {
  const leak = (value: string) => ({ config: { define: { __LEAK__: JSON.stringify(value) } } });
  const PAGE_WITH_LEAK = 'export default () => __LEAK__;';

  it('finds nothing in an app whose pages share words with routes', async () => {
    const { prove } = await buildClient({
      'lib/shared.ts': "export const type = 'application/json', title = 'A title of both';",
      'app/data+api.ts':
        "import { type } from '../lib/shared';\nexport const GET = () => new Response('secret-route', { headers: { 'content-type': type, accept: 'text/html, */*' } });",
      'app/index.tsx':
        "import { title, type } from '../lib/shared';\nexport const loader = () => 'secret-loader';\nexport default () => <p title={type}>text/html, */* {title} production</p>;",
    });
    expect(prove(['app/data+api.ts', 'lib/shared.ts', 'app/index.tsx'])).toEqual([]);
  });

  it('ignores single words, and what Vite and the bundler write', async () => {
    const { prove } = await buildClient(
      {
        'lib/common.cjs': 'exports.x = 1;',
        'app/data+api.ts':
          "export const GET = () => ['elephant', 'BASE_URL', 'getOwnPropertyDescriptor', process.env.NODE_ENV];",
        'app/index.tsx':
          "import * as x from '../lib/common.cjs';\nexport default () => [import.meta.env, x, __LEAK__];",
      },
      { environment: { NODE_ENV: 'production' }, ...leak('elephant') },
    );
    expect(prove(['app/data+api.ts'])).toEqual([]);
  });

  it('finds a string of a route, and shows only its start', async () => {
    const { prove, files } = await buildClient(
      { 'app/data+api.ts': "\nexport const GET = () => 'secret-0123456789';", 'app/index.tsx': PAGE_WITH_LEAK },
      leak('secret-0123456789'),
    );
    const client = files.find((file) => file.includes('app'));
    expect(prove(['app/data+api.ts'])).toEqual([
      {
        file: 'app/data+api.ts',
        line: 2,
        message: `Its string "secret-01234…" is in the client file ${client}, and no module of the client has it.`,
        fix: 'Keep that code out of the client. If the string may be public, move it into a module that a page imports.',
      },
    ]);
  });

  it('finds a string of a loader', async () => {
    const { prove } = await buildClient(
      { 'app/index.tsx': `export const loader = () => 'secret-loader';\n${PAGE_WITH_LEAK}` },
      leak('secret-loader'),
    );
    expect(prove(['app/index.tsx'])).toMatchObject([{ file: 'app/index.tsx', line: 1 }]);
  });

  it('finds a string of a module that two routes share', async () => {
    const { prove } = await buildClient(
      {
        'lib/key.ts': "export const key = 'secret-shared';",
        'app/a+api.ts': "export { key as GET } from '../lib/key';",
        'app/b+api.ts': "export { key as GET } from '../lib/key';",
        'app/index.tsx': PAGE_WITH_LEAK,
      },
      leak('before secret-shared after'),
    );
    expect(prove(['app/a+api.ts', 'app/b+api.ts', 'lib/key.ts'])).toMatchObject([{ file: 'lib/key.ts' }]);
  });

  it('treats a relative path next to import.meta.url as an import, and no other URL', async () => {
    const url = 'https://secret.example/path';
    const { prove } = await buildClient(
      {
        'app/data+api.ts': `export const GET = () => [new URL('../lib/shared.txt', import.meta.url), new URL('${url}', import.meta.url)];`,
        'app/index.tsx': PAGE_WITH_LEAK,
      },
      leak(`../lib/shared.txt ${url}`),
    );
    expect(prove(['app/data+api.ts'])).toMatchObject([{ message: expect.stringContaining('"https://secr…"') }]);
  });

  it('finds the parts of a template', async () => {
    const { prove } = await buildClient(
      {
        'app/data+api.ts': 'export const GET = (id: string) => `select secret from t where id = ${id} and 1`;',
        'app/index.tsx': PAGE_WITH_LEAK,
      },
      leak('select secret from t where id = 5'),
    );
    expect(prove(['app/data+api.ts'])).toMatchObject([{ message: expect.stringContaining('"select secre…"') }]);
  });

  it('finds a string that a minifier has written differently', async () => {
    const value = 'secret "quoted" \'twice\' `and` ${more} ü\n\\ end';
    const { prove } = await buildClient(
      {
        'app/data+api.ts': `export const GET = () => ${JSON.stringify(value.replace('\n', ' '))};`,
        'app/index.tsx': PAGE_WITH_LEAK,
      },
      { config: { define: { __LEAK__: JSON.stringify(value.replace('\n', ' ')) }, build: { minify: true } } },
    );
    expect(prove(['app/data+api.ts'])).toHaveLength(1);
  });

  it('finds strings of JSON that only a route reads', async () => {
    const { prove } = await buildClient(
      { 'lib/keys.json': '{"deep":[{"key":"secret-json"}]}', 'app/index.tsx': PAGE_WITH_LEAK },
      leak('secret-json'),
    );
    expect(prove(['lib/keys.json'])).toMatchObject([{ file: 'lib/keys.json' }]);
  });

  it('finds a source that is a file of the client, even when it is inlined', async () => {
    const sources = {
      'lib/db.ts': DATABASE,
      'app/index.tsx': "export default () => new URL('../lib/db.ts', import.meta.url).href;",
    };
    const inlined = await buildClient(sources);
    expect(inlined.prove(['lib/db.ts']).map(({ file }) => file)).toEqual(['lib/db.ts', 'lib/db.ts']);
    const written = await buildClient(sources, { config: { build: { assetsInlineLimit: 0 } } });
    expect(written.files.some((file) => file.endsWith('.ts'))).toBe(true);
    expect(written.prove(['lib/db.ts'])).toHaveLength(2);
  });

  it('finds the value of a variable that a route reads, and does not show it', async () => {
    const { prove } = await buildClient(
      {
        'app/data+api.ts':
          "const { TOKEN } = process.env;\nexport const GET = () => TOKEN + process.env.DB_URL + process.env['KEY_NAME'] + process.env.MODE;",
        'app/index.tsx': PAGE_WITH_LEAK,
      },
      {
        environment: {
          TOKEN: 'token-value',
          DB_URL: 'db://value',
          KEY_NAME: 'hunterhunter',
          MODE: 'production',
          OTHER: 'other-value',
        },
        ...leak('token-value db://value hunterhunter other-value'),
      },
    );
    const problems = prove(['app/data+api.ts']);
    expect(problems.map(({ message }) => message.replace(/client file .*/, ''))).toEqual([
      'The value of TOKEN, which it reads, is in the ',
      'The value of DB_URL, which it reads, is in the ',
      'The value of KEY_NAME, which it reads, is in the ',
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/token-value|db:|hunter/);
  });

  it('finds the value of a variable in a prerendered page, where strings of a loader are allowed', async () => {
    const { prove, clientDir } = await buildClient(
      { 'app/index.tsx': `export const loader = () => 'text of a loader' + process.env.TOKEN;\n${PAGE}` },
      { environment: { TOKEN: 'a<b>&"token"' } },
    );
    await writeFile(path.join(clientDir, 'index.html'), '<p>text of a loader</p>');
    expect(prove(['app/index.tsx'], { documents: ['index.html'] })).toEqual([]);
    await writeFile(path.join(clientDir, 'index.html'), '<p>a&lt;b&gt;&amp;&quot;token&quot;</p>');
    expect(prove(['app/index.tsx'], { documents: ['index.html'] })).toMatchObject([
      { message: 'The value of TOKEN, which it reads, is in the client file index.html.' },
    ]);
  });

  it('allows the value of a public variable', async () => {
    const { prove } = await buildClient(
      {
        'app/data+api.ts': "export const GET = () => process.env.APPKIT_PUBLIC_SITE ?? 'https://example.com';",
        'app/index.tsx': 'export default () => process.env.APPKIT_PUBLIC_SITE;',
      },
      { environment: { APPKIT_PUBLIC_SITE: 'https://example.com' } },
    );
    expect(prove(['app/data+api.ts'])).toEqual([]);
  });

  it('finds a source map that names a module of the server', async () => {
    const { prove, clientDir, files } = await buildClient(
      { 'lib/db.ts': DATABASE, 'app/index.tsx': PAGE },
      { config: { build: { sourcemap: true } } },
    );
    expect(prove(['lib/db.ts', 'app/index.tsx'])).toEqual([]);
    await writeFile(path.join(clientDir, 'x.js.map'), JSON.stringify({ version: 3, sources: ['../../lib/db.ts'] }));
    expect(prove(['lib/db.ts', 'app/index.tsx'], { clientFiles: [...files, 'x.js.map'] })).toEqual([
      {
        file: 'lib/db.ts',
        message: 'It is a source in the map x.js.map, which the client gets.',
        fix: 'Keep that code out of the client.',
      },
    ]);
  });

  it('reads the sources that maps contain', async () => {
    const { prove, clientDir } = await buildClient({
      'lib/db.ts': 'export const key = "secret \\"quoted\\" key";',
      'app/index.tsx': PAGE,
    });
    const content = 'const key = "secret \\"quoted\\" key";';
    await writeFile(
      path.join(clientDir, 'x.js.map'),
      JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: [content] }),
    );
    expect(prove(['lib/db.ts'], { clientFiles: ['x.js.map'] })).toHaveLength(1);
  });
});
