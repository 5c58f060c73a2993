import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { runCli, startServe } from '../../cli/appkit/fixtures/cli-process.ts';
import { writeFiles } from '../fixtures/create-project.ts';
import { createSite } from '../fixtures/create-site.ts';
import { exportUncompressed } from '../fixtures/export-uncompressed.ts';
import { ExportError, exportApp } from '../index.ts';
import type { ExportOptions, ExportResult } from '../index.ts';
import { listFiles } from '../output/list-files.ts';

const PAGE = 'export default function Page() { return <p>page-text</p>; }\n';

afterEach(() => vi.unstubAllEnvs());

/** Every byte of `dist/client`, with its escapes and its inlined maps decoded. */
async function readClient(projectRoot: string): Promise<string> {
  const folder = path.join(projectRoot, 'dist/client');
  const texts: string[] = [];
  for (const name of await listFiles(folder)) {
    const text = await readFile(path.join(folder, name), 'latin1');
    const inlined = [...text.matchAll(/base64,([\w+/=]+)/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString('latin1'),
    );
    texts.push(
      name,
      text,
      text.replaceAll(/\\u00([\da-f]{2})|\\x([\da-f]{2})/gi, (_, a?: string, b?: string) =>
        String.fromCharCode(Number.parseInt(a ?? b ?? '', 16)),
      ),
      ...inlined,
    );
  }
  return texts.join('\n');
}

/** The hash of everything in `dist`, to see that a failed export leaves it unchanged. */
async function hashOutput(projectRoot: string): Promise<Record<string, string>> {
  const folder = path.join(projectRoot, 'dist');
  const hashes = (await listFiles(folder)).map(async (name) => {
    const content = await readFile(path.join(folder, name));
    return [name, createHash('sha256').update(content).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

/**
 * An exported app: every export that must fail is tried over its output, which stays. Exporting one takes two seconds.
 */
let exported: string;
const EXPORTED = { 'app/index.tsx': PAGE, 'app/ok+api.ts': 'export const GET = () => {};' };
/** What stays in its folder when its files are replaced. */
const KEPT = new Set(['.appkit', 'dist', 'node_modules', 'package.json']);

beforeAll(async () => {
  let remove = async (): Promise<void> => undefined;
  exported = await createSite(EXPORTED, (work) => (remove = work));
  await exportUncompressed({ projectRoot: exported });
  return () => remove();
});

/** Exports an app that must fail, over an output that must stay, and returns the problems as one text. */
async function exportRefused(
  files: Record<string, string>,
  options: Omit<ExportOptions, 'projectRoot'> = {},
): Promise<string> {
  const projectRoot = exported;
  // Those of the one before.
  const former = (await readdir(projectRoot)).filter((name) => !KEPT.has(name));
  await Promise.all(former.map((name) => rm(path.join(projectRoot, name), { recursive: true })));
  const before = await hashOutput(projectRoot);
  expect(Object.keys(before)).toContain('server/_appkit/functions/ok+api.js');
  await writeFiles(projectRoot, { ...EXPORTED, ...files });
  const error: unknown = await exportApp({ projectRoot, ...options }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(await hashOutput(projectRoot)).toEqual(before);
  expect(error).toBeInstanceOf(ExportError);
  return String(error);
}

async function exportSite(
  files: Record<string, string>,
  options: Omit<ExportOptions, 'projectRoot'> = {},
): Promise<ExportResult & { projectRoot: string }> {
  const projectRoot = await createSite(files);
  return { projectRoot, ...(await exportUncompressed({ projectRoot, ...options })) };
}

/** An app that has a secret wherever the server may have one. */
const ADVERSARIAL: Record<string, string> = {
  'lib/own.ts': "export const own = 'secret-of-one-route';\nexport interface Row { id: string }\n",
  'lib/both.ts': "export const both = { key: 'secret-of-two-routes' };\nexport type Both = typeof both;\n",
  'lib/barrel.ts': "export { both } from './both';\nexport * from './own';\nexport const label = 'label-for-all';\n",
  'lib/database.ts':
    "console.log('secret-side-effect');\nexport const read = (id: string) => `secret-template ${id} secret-end`;\n",
  'lib/late.ts': "export default 'secret-loaded-late';\n",
  'lib/marked.ts': "import 'server-only';\nexport const marked = 'secret-marked';\n",
  'app/one+api.ts':
    "import { own } from '../lib/own';\nimport { both } from '../lib/both';\nexport const GET = async () => Response.json(['secret-in-route', own, both, (await import('../lib/late')).default, process.env.DATABASE_URL]);\nexport type Answer = { ok: boolean };\n",
  'app/two+api.ts': "import { both } from '../lib/barrel';\nexport const POST = () => Response.json(both);\n",
  'app/+middleware.ts':
    "const key = 'secret-of-middleware';\nexport default function middleware(request: Request) { if (request.headers.get('x') === key) return new Response(`secret-${'template'}-answer`); }\n",
  'app/_layout.tsx':
    "import { Slot } from 'appkit-router';\nexport default function Layout() { return <main><Slot /></main>; }\n",
  'app/index.tsx':
    "import type { Answer } from './one+api';\nimport { type Both } from '../lib/both';\nimport type { Row } from '../lib/barrel';\nimport './style.css';\nexport default function Page(props: { answer?: Answer; both?: Both; row?: Row }) { return <p>page-text {String(props.answer?.ok)}</p>; }\n",
  'app/style.css': 'p { color: rgb(1, 2, 3) }',
  'app/data.tsx':
    "import { useLoaderData } from 'appkit-router';\nimport { read } from '../lib/database';\nimport { marked } from '../lib/marked';\nimport { both, label } from '../lib/barrel';\nexport async function loader() { const late = (await import('../lib/late')).default; return { length: [read('1'), marked, both.key, late, 'secret-in-loader'].length }; }\nexport default function Data() { return <p>{label}{useLoaderData<typeof loader>().length}</p>; }\n",
  'app/posts/[id].tsx':
    "import { useLocalSearchParams } from 'appkit-router';\nimport { read } from '../../lib/database';\nexport function generateStaticParams() { return read('x') ? [{ id: 'post-one' }] : ['secret-parameter']; }\nexport default function Post() { return <p>{useLocalSearchParams()['id']}</p>; }\n",
};

describe('an app with a secret wherever the server may have one', () => {
  it('has none of them in any byte of the client or its source maps', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const { projectRoot, outputDir } = await exportSite(ADVERSARIAL, { clientSourceMaps: true });
    const client = await readClient(projectRoot);
    expect(client).toContain('page-text');
    expect(client).toContain('label-for-all');
    expect(client).not.toMatch(/secret-/);
    const maps = (await listFiles(path.join(outputDir, 'client'))).filter((name) => name.endsWith('.map'));
    const sources = maps.map(async (name): Promise<string[]> => {
      return JSON.parse(await readFile(path.join(outputDir, 'client', name), 'utf8')).sources;
    });
    const own = (await Promise.all(sources)).flat().filter((source) => !source.includes('node_modules'));
    expect(own).toContainEqual(expect.stringMatching(/app\/data\.tsx$/));
    expect(own.filter((source) => /\+api|\+middleware|lib\/(?:own|both|database|late|marked)/.test(source))).toEqual(
      [],
    );
    // They are where they belong.
    const server = path.join(outputDir, 'server');
    const code = await Promise.all((await listFiles(server)).map((name) => readFile(path.join(server, name), 'utf8')));
    for (const secret of [
      'of-one-route',
      'of-two-routes',
      'in-route',
      'of-middleware',
      'loaded-late',
      'marked',
      'in-loader',
    ]) {
      expect(
        code.some((text) => text.includes(`secret-${secret}`)),
        secret,
      ).toBe(true);
    }
  });

  it('has none of them with output static, in HTML and data', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const { projectRoot } = await exportSite({ ...ADVERSARIAL, 'app.json': '{"web":{"output":"static"}}' });
    const client = await readClient(projectRoot);
    expect(client).toMatch(/<p>post-one<\/p>/);
    expect(client).toMatch(/\{"length":\d+\}/);
    expect(client).not.toMatch(/secret-/);
  });

  it('has none of them when an export takes its bundles from the cache', async () => {
    const { projectRoot } = await exportSite(ADVERSARIAL);
    const first = await hashOutput(projectRoot);
    await exportUncompressed({ projectRoot });
    expect(await hashOutput(projectRoot)).toEqual(first);
    expect(await readClient(projectRoot)).not.toMatch(/secret-/);
  });

  it('has none of them when the command exports it', async () => {
    const projectRoot = await createSite(ADVERSARIAL);
    const env = { DATABASE_URL: 'postgres://secret-of-the-environment' };
    expect(await runCli(['export', '-p', 'web', projectRoot], { cwd: projectRoot, env })).toMatchObject({ code: 0 });
    const client = await readClient(projectRoot);
    expect(client).toContain('page-text');
    expect(client).not.toMatch(/secret-/);
    const before = await hashOutput(projectRoot);
    await writeFiles(projectRoot, {
      'app/bad.tsx': `import { marked } from '../lib/marked';\nexport default () => <p>{marked}</p>;`,
    });
    const refused = await runCli(['export', '-p', 'web', projectRoot], { cwd: projectRoot, env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('app/bad.tsx → lib/marked.ts');
    expect(await hashOutput(projectRoot)).toEqual(before);
  });
});

describe('an export that would put server code into the client', () => {
  it('is refused with the chain: by a barrel', async () => {
    const problems = await exportRefused({
      'app/secret+api.ts': "export const key = 'secret-key';\nexport const GET = () => Response.json(key);",
      'lib/barrel.ts': "export * from '../app/secret+api';",
      'app/bad.tsx': "import { key } from '../lib/barrel';\nexport default () => <p>{key}</p>;",
    });
    expect(problems).toContain('app/bad.tsx → lib/barrel.ts → app/secret+api.ts.');
  });

  it('is refused with the chain: by a dynamic import', async () => {
    const problems = await exportRefused({
      'app/secret+api.ts': "export const key = 'secret-key';\nexport const GET = () => Response.json(key);",
      'lib/load.ts': "export const load = async () => (await import('../app/secret+api')).key;",
      'app/bad.tsx': "import { load } from '../lib/load';\nexport default () => <p onClick={load}>x</p>;",
    });
    expect(problems).toContain('app/bad.tsx → lib/load.ts → app/secret+api.ts.');
  });

  it('is refused with the chain: by a worker', async () => {
    const files = {
      'app/secret+api.ts': "export const key = 'secret-key';\nexport const GET = () => Response.json(key);",
      'lib/work.ts': "import { key } from '../app/secret+api';\npostMessage(key);",
    };
    const byUrl =
      "export const run = () => new Worker(new URL('../lib/work.ts', import.meta.url), { type: 'module' });";
    const page = 'export default () => <p onClick={run}>x</p>;';
    expect(await exportRefused({ ...files, 'app/bad.tsx': `${byUrl}\n${page}` })).toContain(
      'lib/work.ts → app/secret+api.ts.',
    );
    const byQuery = "import Work from '../lib/work?worker';\nconst run = () => new Work();";
    expect(await exportRefused({ ...files, 'app/bad.tsx': `${byQuery}\n${page}` })).toContain(
      'lib/work.ts → app/secret+api.ts.',
    );
    const inline = "import Work from '../lib/work?worker&inline';\nconst run = () => new Work();";
    expect(await exportRefused({ ...files, 'app/bad.tsx': `${inline}\n${page}` })).toContain(
      'lib/work.ts → app/secret+api.ts.',
    );
  });

  it('is refused by the contents of the client: a text that a plugin has put into a chunk', async () => {
    const problems = await exportRefused({
      'app/secret+api.ts': "export const GET = () => new Response('secret text of a route');",
      'vite.config.ts': `export default { plugins: [{ name: 'leak', renderChunk: (code) => code.replace('nothing', 'secret text' + ' of a route') }] };`,
      'app/bad.tsx': 'export default () => <p>nothing</p>;',
    });
    expect(problems).toContain('app/secret+api.ts');
  });

  it('is refused by the value of a variable that a page of a single document reads', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const problems = await exportRefused({
      'app.json': '{"web":{"output":"single"}}',
      'vite.config.ts': 'export default { define: { URL_OF_ALL: JSON.stringify(process.env.DATABASE_URL) } };',
      'app/bad.tsx':
        'const isServer = () => typeof window === "undefined";\nexport default () => <p>{isServer() ? process.env.DATABASE_URL : URL_OF_ALL}</p>;',
    });
    expect(problems).toContain('app/bad.tsx:2');
    expect(problems).toContain('The value of DATABASE_URL');
  });

  it('is refused by the value of a variable in HTML that the server has from the export', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://"secret"-of-the-environment');
    const problems = await exportRefused({
      'lib/config.ts': 'export const url = process.env.DATABASE_URL;',
      'app/bad.tsx':
        "import { url } from '../lib/config';\nexport default () => <script dangerouslySetInnerHTML={{ __html: url }} />;",
    });
    expect(problems).toContain(
      'lib/config.ts:1: The value of DATABASE_URL, which it reads, is in server/_appkit/pages/bad.html.js, which clients get.',
    );
  });

  it('is refused by the value of a variable in static HTML', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const problems = await exportRefused({
      'app.json': '{"web":{"output":"static"}}',
      'lib/config.ts': 'export const url = process.env.DATABASE_URL;',
      'app/bad.tsx':
        "import { useLoaderData } from 'appkit-router';\nimport { url } from '../lib/config';\nexport const loader = () => ({ url });\nexport default () => <p>{useLoaderData<typeof loader>().url}</p>;",
    });
    expect(problems).toContain('The value of DATABASE_URL');
    expect(problems).not.toContain('secret-of-the-environment');
  });
});

describe('a file that is never served', () => {
  const files = {
    '.env': 'DATABASE_URL=postgres://secret-of-a-file\n',
    '.env.local': 'API_TOKEN=secret-of-the-machine\n',
    'keys/x.pem': '-----BEGIN PRIVATE KEY-----\nsecret-of-a-key\n',
  };
  const refused = async (sources: Record<string, string>): Promise<string> =>
    exportRefused({ ...files, 'app/bad.tsx': 'export default () => <p>{String(value)}</p>;', ...sources });
  const page = (head: string): Record<string, string> => ({
    'app/bad.tsx': `${head}\nexport default () => <p onClick={() => console.log(value)}>page-text</p>;`,
  });

  it('is refused to a page: as text', async () => {
    expect(await refused(page("import value from '../.env?raw';"))).toContain(
      'app/bad.tsx: .env may be secret, and the client would get it: app/bad.tsx → .env?raw. Read it in a loader or a route. Put public files into public/.',
    );
    expect(await refused(page("import value from '../keys/x.pem?raw';"))).toContain('app/bad.tsx → keys/x.pem?raw.');
    const variables = { ...page("import value from '../.dev.vars?raw';"), '.dev.vars': 'TOKEN=secret-of-a-worker\n' };
    expect(await refused(variables)).toContain('app/bad.tsx → .dev.vars?raw.');
  });

  it('is refused to a page: as a URL', async () => {
    expect(await refused(page("import value from '../.env.local?url';"))).toContain('app/bad.tsx → .env.local?url.');
    expect(await refused(page("import value from '../.env?inline';"))).toContain('app/bad.tsx → .env?inline.');
    expect(await refused(page("import value from '../.env?url&no-inline';"))).toContain('app/bad.tsx → .env');
  });

  it('is refused to a page: next to import.meta.url', async () => {
    expect(await refused(page("\nconst value = new URL('../.env', import.meta.url);"))).toContain(
      'app/bad.tsx:2:15: .env may be secret, and the client would get it: app/bad.tsx → .env.',
    );
    expect(
      await refused({
        ...page("import { value } from '../lib/key';"),
        'lib/key.ts': 'export const value = new URL(`../keys/x.pem`, import.meta.url).href;',
      }),
    ).toContain(
      'lib/key.ts:1:22: keys/x.pem may be secret, and the client would get it: app/bad.tsx → lib/key.ts → keys/x.pem.',
    );
  });

  it('is refused to a page: by a pattern', async () => {
    const glob = "const value = import.meta.glob('../keys/*', { query: '?raw' });";
    expect(await refused(page(glob))).toContain('keys/x.pem may be secret');
    const url = 'const value = (name: string) => new URL(`../keys/${name}.pem`, import.meta.url);';
    expect(await refused(page(url))).toContain('keys/x.pem may be secret');
  });

  it('is refused to a page: by a style sheet', async () => {
    const sheet = { 'app/style.css': 'p { color: red }\nb { background: url(../keys/x.pem) }' };
    expect(await refused({ ...page("import './style.css';\nconst value = 1;"), ...sheet })).toContain(
      'app/style.css:2:17: keys/x.pem may be secret, and the client would get it: app/bad.tsx → app/style.css → keys/x.pem.',
    );
  });

  it('is refused to a page: by a worker, and by a link', async () => {
    const worker = "const value = () => new Worker(new URL('../lib/work.ts', import.meta.url), { type: 'module' });";
    const work = { 'lib/work.ts': "import key from '../keys/x.pem?raw';\npostMessage(key);" };
    expect(await refused({ ...page(worker), ...work })).toContain('lib/work.ts → keys/x.pem?raw.');
    const projectRoot = await createSite({
      ...files,
      ...page("const value = new URL('./look.txt', import.meta.url);"),
    });
    await symlink('../.env', path.join(projectRoot, 'app/look.txt'));
    await expect(exportApp({ projectRoot })).rejects.toThrow('app/look.txt may be secret');
  });

  it('is refused to a route as a URL, which would be one for everybody', async () => {
    const route = "import value from '../.env.local?url';\nexport const GET = () => new Response(value);";
    expect(await refused({ ...page('const value = 1;'), 'app/route+api.ts': route })).toContain(
      '.env.local: It is imported by its URL, so it would be copied to dist/client, and it may be secret.',
    );
  });

  it('is available to server code, whatever a comment says', async () => {
    const { projectRoot } = await exportSite({
      ...files,
      'app/keys+api.ts': "import key from '../keys/x.pem?raw';\nexport const GET = () => new Response(key);",
      'app/index.tsx': `import key from '../keys/x.pem?raw';
// Not new URL('../.env', import.meta.url).
export const loader = () => [key.length, new URL('../.env', import.meta.url).href.length];
${PAGE}`,
    });
    expect(await readClient(projectRoot)).not.toMatch(/secret-|PRIVATE/);
    const chunks = path.join(projectRoot, 'dist/server/_appkit/chunks');
    const texts = (await listFiles(chunks)).map(async (name) => readFile(path.join(chunks, name), 'utf8'));
    expect((await Promise.all(texts)).join('')).toContain('secret-of-a-key');
  });
});

describe('code that another framework would leave on its server', () => {
  it('is refused in modules that pages import, and behind export *', async () => {
    const problems = await exportRefused({
      'lib/save.ts': "'use server';\nexport const save = async () => 'secret-text';",
      'lib/pages.ts': "export const getServerData = async () => 'secret-text';",
      'app/bad.tsx': "import { save } from '../lib/save';\nexport default () => <button onClick={save}>save</button>;",
      'app/star.tsx': "export * from '../lib/pages';\nexport default () => <p>star</p>;",
    });
    expect(problems).toContain("lib/save.ts:1:1: 'use server' means nothing here: the module would be in the client");
    expect(problems).toContain(
      "app/star.tsx:1:1: It exports getServerData by export * from '../lib/pages', which means nothing here: nothing calls it, and the client would get it with everything that it imports. Export loader(request, params) instead, and read what it returns with useLoaderData().",
    );
  });

  it('is fine when only a loader needs it', async () => {
    const { projectRoot } = await exportSite({
      'lib/save.ts': "'use server';\nexport const save = async () => 'secret-text';",
      'app/index.tsx': `import { save } from '../lib/save';\nexport const loader = () => { 'use server'; return save.length; };\n${PAGE}`,
    });
    expect(await readClient(projectRoot)).not.toMatch(/secret-/);
  });
});

describe('an environment that is not read by a literal name', () => {
  const LOADER = "import { useLoaderData } from 'appkit-router';\n";
  const SHOWN = 'export default () => <p>{JSON.stringify(useLoaderData<typeof loader>())}</p>;';

  it('is searched for: a computed name in a page', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const problems = await exportRefused({
      'lib/read.ts': '\nexport const read = (name: string) => process.env[`${name}_URL`];',
      'app/bad.tsx': "import { read } from '../lib/read';\nexport default () => <p>{read('DATABASE')}</p>;",
    });
    expect(problems).toContain(
      'lib/read.ts:2: It reads variables without naming them, and the value of DATABASE_URL is in server/_appkit/pages/bad.html.js, which clients get.',
    );
    expect(problems).not.toContain('secret-of');
  });

  it('is searched for: all of it in a page', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    vi.stubEnv('API_TOKEN', 'token-of-the-environment');
    vi.stubEnv('PASSWORD', 'hunterhunter');
    const problems = await exportRefused({
      'app/bad.tsx': '\n\nexport default () => <p>{JSON.stringify({ ...process.env })}</p>;',
    });
    expect(problems).toMatch(/app\/bad\.tsx:3: .* the values of API_TOKEN, .*DATABASE_URL, .*PASSWORD.* are in/);
    expect(problems).not.toMatch(/(?:secret|token)-of|hunter/);
  });

  it('is searched for: all of it, returned by a loader', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const problems = await exportRefused({
      'app.json': '{"web":{"output":"static"}}',
      'app/bad.tsx': `${LOADER}export const loader = () => ({ ...process.env });\n${SHOWN}`,
    });
    expect(problems).toMatch(/app\/bad\.tsx:2: It reads variables without naming them, .*DATABASE_URL/);
  });

  it.each(['.env.local', '.dev.vars'])('is searched for: a value that code reads from %s', async (file) => {
    const problems = await exportRefused({
      'app.json': '{"web":{"output":"static"}}',
      [file]: 'DATABASE_URL="postgres://secret-of-a-file"\nAPPKIT_PUBLIC_NAME=name-for-everybody\n',
      'app/bad.tsx': `${LOADER}import { parseEnv } from 'node:util';\nimport text from '../${file}?raw';\nexport function loader() {\n  process.env.DATABASE_URL = parseEnv(text).DATABASE_URL;\n  return process.env.DATABASE_URL;\n}\n${SHOWN}`,
    });
    expect(problems).toContain('app/bad.tsx:5: The value of DATABASE_URL');
    expect(problems).not.toContain('secret-of');
  });

  it('may have a text of a page that is also in an environment file, which is not read', async () => {
    const page = "export default () => <p>{process.env.API_URL ?? 'http://localhost:3000'}</p>;";
    const { projectRoot } = await exportSite({
      'app.json': '{"web":{"output":"static"}}',
      '.env.development': 'API_URL=http://localhost:3000\n',
      'app/index.tsx': page,
    });
    expect(await readClient(projectRoot)).toContain('http://localhost:3000');
    vi.stubEnv('API_URL', 'http://localhost:3000');
    expect(await exportRefused({ 'app/bad.tsx': page })).toContain('app/bad.tsx:1: The value of API_URL');
  });

  it('may have the texts of a page or a loader, and public values', async () => {
    vi.stubEnv('CI_SERVER', 'https://ci.example.com');
    vi.stubEnv('CI_API', 'https://api.example.com');
    vi.stubEnv('APPKIT_PUBLIC_SITE', 'https://site.example.com');
    vi.stubEnv('SITE', 'https://site.example.com');
    const { projectRoot } = await exportSite({
      'app.json': '{"web":{"output":"static"}}',
      'lib/env.ts': 'export const all = { ...process.env };',
      'app/index.tsx': `${LOADER}import { all } from '../lib/env';
export const loader = () => [Object.keys(all).length > 0, 'https://api.example.com/path'];
export default function Page() {
  return <a href="https://ci.example.com">{process.env.APPKIT_PUBLIC_SITE}{useLoaderData<typeof loader>()[1]}</a>;
}`,
    });
    for (const name of ['ci', 'site', 'api']) expect(await readClient(projectRoot)).toContain(`${name}.example.com`);
    // The second export only searches for values.
    await exportUncompressed({ projectRoot });
  });

  it('is searched for even after a plugin has put a value into page code', async () => {
    vi.stubEnv('API_TOKEN', 'token-of-the-environment');
    const problems = await exportRefused({
      'vite.config.ts':
        "export default { plugins: [{ name: 'leak', transform: (code) => code.replace('LEAK', String(process.env.API_TOKEN)) }] };",
      'app/all+api.ts': 'export const GET = () => Response.json(Object.keys(process.env));',
      'app/bad.tsx': "export default () => <p>{'LEAK'}</p>;",
    });
    expect(problems).toContain('app/all+api.ts:1: It reads variables without naming them, and the value of API_TOKEN');
  });
});

describe('a worker', () => {
  it('has public variables and nothing from the server, in files that may be cached forever', async () => {
    vi.stubEnv('APPKIT_PUBLIC_NAME', 'public-name');
    vi.stubEnv('DATABASE_URL', 'postgres://secret-of-the-environment');
    const { projectRoot } = await exportSite({
      'app/one+api.ts': 'export const GET = () => Response.json(process.env.DATABASE_URL);',
      'lib/work.ts':
        "import { both } from './both';\npostMessage([both, process.env.APPKIT_PUBLIC_NAME, process.env.DATABASE_URL, JSON.stringify(import.meta.env)]);",
      'lib/both.ts': "export const both = 'text of the worker';",
      'app/index.tsx': `export const run = () => new Worker(new URL('../lib/work.ts', import.meta.url), { type: 'module' });\n${PAGE.replace('<p>', '<p onClick={run}>')}`,
    });
    const client = await readClient(projectRoot);
    expect(client).toMatch(/text of the worker[\s\S]*public-name/);
    expect(client).not.toContain('secret-');
    const names = await listFiles(path.join(projectRoot, 'dist/client/_appkit/assets'));
    expect(names).toContainEqual(expect.stringMatching(/^work-[\da-f]{8,}\.js$/));
    for (const name of names) expect(name).toMatch(/-[\da-f]{8,}\.\w+$/);
  });

  it('may be named in source maps, which lead to its source', async () => {
    const { projectRoot } = await exportSite(
      {
        'lib/work.ts': 'export const work: number = 1;\npostMessage(work);',
        'app/index.tsx': `export const run = () => new Worker(new URL('../lib/work.ts', import.meta.url), { type: 'module' });\n${PAGE.replace('<p>', '<p onClick={run}>')}`,
      },
      { clientSourceMaps: true },
    );
    const folder = path.join(projectRoot, 'dist/client/_appkit/assets');
    const name = (await listFiles(folder)).find((file) => /^work-.*\.map$/.test(file)) ?? '';
    const { sources } = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as { sources: string[] };
    expect(sources.map((source) => path.resolve(folder, source))).toEqual([path.join(projectRoot, 'lib/work.ts')]);
  });
});

describe('the configuration of Vite', () => {
  const plugin = (body: string): string =>
    `export default { plugins: [{ name: 'mine', enforce: 'pre', ${body} }], define: { MINE: '"mine-defined"' } };`;

  it('is honoured', async () => {
    const { projectRoot } = await exportSite({
      'vite.config.ts': plugin(
        "resolveId: (id) => (id === 'virtual:mine' ? id : null), load: (id) => (id === 'virtual:mine' ? 'export default \"text-of-mine\"' : null)",
      ),
      'app/index.tsx': "// @ts-ignore\nimport text from 'virtual:mine';\nexport default () => <p>{text}{MINE}</p>;",
    });
    const client = await readClient(projectRoot);
    expect(client).toContain('text-of-mine');
    expect(client).toContain('mine-defined');
    expect(await readFile(path.join(projectRoot, 'dist/client/index.html'), 'utf8')).toContain('text-of-mine');
  });

  it('can set variables for the code that renders pages', async () => {
    const { projectRoot } = await exportSite({
      'app.json': '{"web":{"output":"static"}}',
      'vite.config.ts': "process.env.SET_BY_CONFIG = 'set-by-config';\nexport default {};",
      'app/index.tsx': 'export default () => <p>{process.env.SET_BY_CONFIG.toUpperCase()}</p>;',
    });
    delete process.env['SET_BY_CONFIG'];
    expect(await readFile(path.join(projectRoot, 'dist/client/index.html'), 'utf8')).toContain('<p>SET-BY-CONFIG</p>');
  });

  const files = {
    'app/secret+api.ts': "export const key = 'secret-key';\nexport const GET = () => Response.json(key);",
    'lib/marked.ts': "import 'server-only';\nexport const marked = 'secret-marked';",
    'app/bad.tsx':
      "import { key } from './secret+api';\nimport { marked } from '../lib/marked';\nexport default () => <p>{key}{marked}</p>;",
  };

  it('cannot read a route before the guard does', async () => {
    const load = `load: (id) => (/\\+api/.test(id) ? 'export const key = 1' : null), resolveId: (id) => (id === 'server-only' ? '/empty.js' : null)`;
    const problems = await exportRefused({ ...files, 'vite.config.ts': plugin(load) });
    expect(problems).toContain('app/bad.tsx → app/secret+api.ts.');
    expect(problems).toContain('app/bad.tsx → lib/marked.ts.');
  });

  it('cannot give the marker another meaning', async () => {
    const config = "export default { resolve: { alias: { 'server-only': '/lib/empty.ts' } } };";
    const problems = await exportRefused({ ...files, 'lib/empty.ts': '', 'vite.config.ts': config });
    expect(problems).toContain('app/bad.tsx → lib/marked.ts.');
  });

  it('cannot remove the guard, not even from workers', async () => {
    const config =
      "configResolved: (config) => { for (const name of ['appkit:client-guard']) config.plugins.splice(config.plugins.findIndex((plugin) => plugin.name === name), 1); }";
    expect(await exportRefused({ ...files, 'vite.config.ts': plugin(config) })).toMatch(
      /appkit:client-guard|app\/bad\.tsx → app\/secret\+api\.ts/,
    );
  });

  it('cannot make more variables public', async () => {
    vi.stubEnv('SECRET_KEY', 'value-of-the-key');
    const projectRoot = await createSite({
      'app/index.tsx': 'export default () => <p>{JSON.stringify(import.meta.env)}</p>;',
      'vite.config.ts': "export default { envPrefix: ['SECRET_', 'VITE_'] };",
    });
    await exportApp({ projectRoot }).catch((error: unknown) => expect(String(error)).toContain('envPrefix'));
    if (existsSync(path.join(projectRoot, 'dist/client')))
      expect(await readClient(projectRoot)).not.toContain('value-of-the-key');
  });
});

describe('an asset', () => {
  it('has one URL for a page and a route, which serves its bytes', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, ...Array.from({ length: 9000 }, (_, index) => index % 251)]);
    const { projectRoot } = await exportSite({
      'lib/logo.png': bytes.toString('latin1'),
      'lib/font.woff2': 'font '.repeat(2000),
      'lib/tiny.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'lib/sum.wasm': '\0asm-not-really',
      'app/style.css':
        "@font-face { font-family: x; src: url(../lib/font.woff2) } p { background: url('../lib/logo.png') }",
      'app/index.tsx':
        "import './style.css';\nimport logo from '../lib/logo.png';\nimport sum from '../lib/sum.wasm?url';\nimport tiny from '../lib/tiny.svg';\nexport default () => <p><img src={logo} /><a href={sum} /><b title={tiny} /></p>;",
      'app/urls+api.ts':
        "import logo from '../lib/logo.png';\nimport sum from '../lib/sum.wasm?url';\nimport tiny from '../lib/tiny.svg';\nexport const GET = () => Response.json({ logo, sum, tiny });",
    });
    const source = await readFile(path.join(projectRoot, 'lib/logo.png'));
    await using server = await startServe(['--port=0', projectRoot], { cwd: projectRoot });
    const answer = async (url: string): Promise<Response> => fetch(new URL(url, server.url));
    const urls = (await (await answer('/urls')).json()) as Record<string, string>; // as the route writes it
    const html = await (await answer('/')).text();
    expect(html).toContain(`src="${urls['logo']}"`);
    expect(html).toContain(`href="${urls['sum']}"`);
    expect(html).toContain(`title="${urls['tiny']}"`);
    const logo = await answer(urls['logo'] ?? '');
    expect(Buffer.from(await logo.arrayBuffer()).equals(source)).toBe(true);
    expect(logo.headers.get('cache-control')).toContain('immutable');
    expect(await (await answer(urls['sum'] ?? '')).text()).toBe('\0asm-not-really');
    const style = /href="(\/_appkit\/assets\/[^"]+\.css)"/.exec(html)?.[1] ?? '';
    const css = await (await answer(style)).text();
    const inStyle = [...css.matchAll(/url\(["']?([^"')]+)/g)].map(([, url = '']) => url);
    expect(inStyle).toHaveLength(2);
    for (const url of inStyle) {
      expect(url).toMatch(/^\/_appkit\/assets\/\w+-[\da-f]{8,}\.\w+$/);
      expect((await answer(url)).status, url).toBe(200);
    }
    // The style sheet and the modules name the same file.
    expect(inStyle).toContain(urls['logo']);
    const names = await listFiles(path.join(projectRoot, 'dist/client/_appkit/assets'));
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(1);
  });

  it('is one file even if code names it by import.meta.url, and two of the same name are two', async () => {
    const { projectRoot } = await exportSite({
      'lib/logo.png': 'first '.repeat(2000),
      'lib/other/logo.png': 'second '.repeat(2000),
      'app/style.css': "p { background: url('../lib/other/logo.png') }",
      'app/index.tsx': `import './style.css';
import logo from '../lib/logo.png';
const show = () => alert(new URL('../lib/logo.png', import.meta.url).href);
export default () => <img src={logo} onClick={show} />;`,
    });
    const folder = path.join(projectRoot, 'dist/client/_appkit/assets');
    const names = (await listFiles(folder)).filter((name) => name.endsWith('.png'));
    const starts = await Promise.all(
      names.map(async (name) => (await readFile(path.join(folder, name), 'utf8')).slice(0, 5)),
    );
    expect(starts.toSorted()).toEqual(['first', 'secon']);
  });

  it('of a route causes a warning when there is no client to contain it', async () => {
    const { warnings, outputDir } = await exportSite(
      {
        'lib/logo.png': 'picture',
        'app/a+api.ts': "import logo from '../lib/logo.png';\nexport const GET = () => Response.json(logo);",
      },
      { ssg: false },
    );
    expect(existsSync(path.join(outputDir, 'client'))).toBe(false);
    expect(warnings).toEqual([expect.stringMatching(/^lib\/logo\.png .*--no-ssg/)]);
  });
});
