import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startDev, startServe } from '../fixtures/cli-process.ts';
import type { ServeProcess } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

const FILES = {
  'package.json': '{ "name": "developed", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  '.env': 'FROM_DOT_ENV=yes',
  'settings.env': 'FROM_ENV_FILE=yes',
  'public/hello.txt': 'from public',
  'public/.hidden': 'hidden',
  'text/greeting.txt': 'good day',
  'lib/count.ts': 'let count = 0;\nexport const next = (): number => ++count;',
  'app/+middleware.ts': `
    export default (request: Request) =>
      request.url.endsWith('/blocked') ? new Response('by middleware', { status: 403 }) : undefined;`,
  'app/hello+api.ts': `
    export const GET = () => new Response('version 0');
    export const POST = async (request: Request) => new Response(await request.text());`,
  'app/items/[id]+api.ts': `
    import { origin, setResponseHeaders, StatusError, environment } from 'appkit-server';
    interface Params { id: string }
    export function GET(request: Request, { id }: Params): Response {
      if (id === 'none') throw new StatusError(404, 'No such item');
      setResponseHeaders({ 'x-item': id });
      return Response.json({ id, isUrl: origin() === new URL(request.url).origin, environment: typeof environment() });
    }`,
  'app/(group)/files/[...path]+api.ts': `
    import greeting from '../../../text/greeting.txt';
    export const GET = (request: Request, { path }: { path: string }) => new Response(path + ' ' + greeting);`,
  'app/count+api.ts': `
    import { next } from '../lib/count';
    export const GET = () => Response.json(['version 0', next()]);`,
  'app/count-too+api.ts': `
    import { next } from '../lib/count';
    export const GET = () => Response.json(['version 0', next()]);`,
  'app/variables+api.ts': `
    const { NODE_ENV, FROM_DOT_ENV, FROM_ENV_FILE } = process.env;
    export const GET = () => Response.json({ NODE_ENV, FROM_DOT_ENV, FROM_ENV_FILE });`,
  'app/throws+api.ts': `
    interface Padding { first: string; second: string }

    export function GET(): Response {
      throw new TypeError('not <script>alert(1)</script>');
    }`,
  'app/stream+api.ts': `
    export function GET(request: Request): Response {
      request.signal.addEventListener('abort', () => console.log('the client has left'));
      return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('first')) }));
    }`,
};

let original: TemporaryApp;
let folder: string;
let count = 0;
/** Of tests that only ask. A start takes most of the time of a test. */
let shared: (ServeProcess & { firstLines: readonly string[] }) | undefined;

beforeAll(async () => {
  original = await createTemporaryApp({});
});

// Each test edits its own app.
beforeEach(async () => {
  folder = path.join(original.folder, `app-${count++}`);
  for (const [name, content] of Object.entries(FILES)) await save(name, content);
});

afterAll(async () => {
  await shared?.[Symbol.asyncDispose]();
  await original[Symbol.asyncDispose]();
});

/** The server that these tests share, with the lines it printed before the first request. */
async function startShared(): Promise<NonNullable<typeof shared>> {
  if (shared) return shared;
  // The app of the first test, which does not edit it. The server runs until all tests of this file are done.
  const dev = await startDev([], { cwd: folder });
  return (shared = { ...dev, firstLines: [...dev.lines] });
}

/** Saves a file in one step: emptying and then writing it would be two changes, which the server may see separately. */
async function save(name: string, content: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${folder}.saved`, content);
  await rename(`${folder}.saved`, file);
}

// For an answer that never comes. On a busy machine everything else may be slow.
const FUSE_MS = 120_000;

/** Asks until the answer is the one expected. */
async function becomes(url: string, expected: string | number | RegExp, init: RequestInit = {}): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(url, init);
    const body = await response.text();
    if (expected === response.status || expected === body) return;
    if (expected instanceof RegExp && expected.test(body)) return;
    if (performance.now() - startedAt > FUSE_MS) throw new Error(`${url} still answers ${response.status} ${body}`);
    await delay(10);
  }
}

const answerOf = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text();
const inHtml = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const inJson = { headers: { accept: 'application/json' } };

describe('what is answered', () => {
  it('answers as a served export does', async () => {
    expect((await runCli(['export'], { cwd: folder })).code).toBe(0);
    const options = { cwd: folder, env: { NODE_ENV: 'production' } }; // which environment() tells
    await using serve = await startServe(['--port=0'], options);
    await using dev = await startDev([], options);
    for (const [target, init] of [
      ['/hello', {}],
      ['/hello/', {}],
      ['/hello', { method: 'POST', body: 'a body' }],
      ['/hello', { method: 'DELETE' }],
      ['/hello', { method: 'HEAD' }],
      ['/hello', { method: 'OPTIONS' }],
      ['/missing', {}],
      ['/%zz', {}],
      ['/blocked', {}],
      ['/items/a%20b', {}],
      ['/items/none', {}],
      ['/files/a/b%2Fc', {}],
      ['/hello.txt', {}],
      ['/hello.txt', { method: 'POST' }],
      ['/.hidden', {}],
      ['/app/hello+api.ts', {}],
      ['/app.json', {}],
      ['/@fs/etc/passwd', {}],
    ] as const) {
      const answers = await Promise.all(
        [serve, dev].map(async ({ url }) => {
          const response = await fetch(url + target, init);
          const headers = [...response.headers].filter(
            ([name]) => !['date', 'last-modified', 'etag', 'appkit-hint'].includes(name),
          );
          return {
            target,
            status: response.status,
            headers,
            etag: response.headers.has('etag'),
            body: await response.text(),
          };
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
    }
  });

  it('keeps a JSON key named __proto__, as an export does', async () => {
    await save('lib/data.json', '{"__proto__":{"admin":true},"deep":[{"__proto__":1}],"name":"n"}');
    await save(
      'app/json+api.ts',
      `import data, { name } from '../lib/data.json';
       export const GET = () => Response.json([JSON.stringify(data), data.admin ?? null, name]);`,
    );
    await using dev = await startDev([], { cwd: folder });
    const expected = ['{"__proto__":{"admin":true},"deep":[{"__proto__":1}],"name":"n"}', null, 'n'];
    expect(await (await fetch(`${dev.url}/json`)).json()).toEqual(expected);
  });

  it('names the option that answers HEAD in the 405, and once in the terminal', async () => {
    await save('app/own+api.ts', 'export const POST = () => new Response();');
    await using dev = await startDev([], { cwd: folder });
    const said = 'Set implicitHead of appkit-router to true in app.json, and HEAD runs GET.';
    const head = async (target: string): Promise<[number, string | null]> => {
      const response = await fetch(dev.url + target, { method: 'HEAD' });
      return [response.status, response.headers.get('appkit-hint')];
    };
    expect(await head('/hello')).toEqual([405, said]);
    expect(await head('/hello?again')).toEqual([405, said]);
    expect(await head('/own')).toEqual([405, null]);
    expect(await head('/missing')).toEqual([404, null]);
    expect((await fetch(`${dev.url}/hello`, { method: 'DELETE' })).headers.get('appkit-hint')).toBe(null);
    const warning = `warning: HEAD /hello is answered 405: app/hello+api.ts exports GET and no HEAD. ${said}`;
    await expect.poll(() => dev.errors().match(/.*HEAD.*/g)).toEqual([warning]);
    await save(
      'app.json',
      '{ "web": { "output": "server" }, "plugins": [["appkit-router", { "implicitHead": true }]] }',
    );
    await dev.printed(/ app\.json changed/);
    expect(await head('/hello')).toEqual([200, null]);
  });

  it('streams, and lets a route know that the client has left', async () => {
    await using dev = await startDev([], { cwd: folder });
    const client = new AbortController();
    const { body } = await fetch(`${dev.url}/stream`, { signal: client.signal });
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('first');
    client.abort();
    await dev.printed(/the client has left/);
  });

  it('reads .env files as Vite does, and names them', async () => {
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/variables`)).toBe('{"NODE_ENV":"development","FROM_DOT_ENV":"yes"}');
    expect(dev.lines).toContainEqual(expect.stringMatching(/^Variables are read from \.env\. /));
    await save('.env.example', 'FROM_DOT_ENV=');
    await save('.env.production', 'FROM_DOT_ENV=elsewhere');
    await save('.env.development', 'FROM_DOT_ENV=${FROM_ENV_FILE}, by start');
    await dev.printed(/\.env\.development has changed: start again/);
    expect(dev.lines.filter((line) => /\.env\.(?:example|production)/.test(line))).toEqual([]);
    await using other = await startDev(['--env-file', 'settings.env'], { cwd: folder });
    const expected = { NODE_ENV: 'development', FROM_DOT_ENV: 'yes, by start', FROM_ENV_FILE: 'yes' };
    expect(JSON.parse(String(await answerOf(`${other.url}/variables`)))).toEqual(expected);
  });

  it('refuses a NODE_ENV that is not a mode of Vite', async () => {
    const { code, stderr } = await runCli(['start'], { cwd: folder, env: { NODE_ENV: 'local' } });
    expect([code, stderr]).toEqual([
      1,
      'error: NODE_ENV is local, and Vite has no such mode: .env.local is read in all of them.\n' +
        '  Give it another name, such as development.\n',
    ]);
  });

  it('prints the routes, the URL and the time it took', async () => {
    const dev = await startShared();
    expect(dev.lines[0]).toMatch(/^URL +Methods +File$/);
    expect(dev.lines).toContainEqual(expect.stringMatching(/^\/hello +GET POST +app\/hello\+api\.ts$/));
    expect(dev.lines).toContainEqual(expect.stringMatching(/^\/ +middleware +app\/\+middleware\.ts$/));
    expect(dev.firstLines.at(-1)).toMatch(/^Ready at http:\/\/localhost:\d+ in \d+ ms$/);
  });
});

describe('the line of a request', () => {
  const lineOf = (method: string, rest: string): RegExp =>
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${method} ${rest} \\(\\d+ ms\\)$`);

  it('has method, path, status and time, but not the query', async () => {
    const dev = await startShared();
    await fetch(`${dev.url}/hello?token=secret`);
    await fetch(`${dev.url}/hello.txt`, { method: 'HEAD' });
    await fetch(`${dev.url}/missing/a%20b`);
    await fetch(`${dev.url}/hello`, { method: 'POST', body: 'secret' });
    await dev.printed(lineOf('GET', '/hello 200'));
    await dev.printed(lineOf('HEAD', '/hello\\.txt 200'));
    await dev.printed(lineOf('GET', '/missing/a%20b 404'));
    await dev.printed(lineOf('POST', '/hello 200'));
    expect(dev.lines.join('\n')).not.toContain('secret');
  });

  it('says when the client left before the end', async () => {
    const dev = await startShared();
    const client = new AbortController();
    await fetch(`${dev.url}/stream`, { signal: client.signal });
    client.abort();
    await dev.printed(lineOf('GET', '/stream 200, the client left'));
  });

  it('is not printed with --quiet', async () => {
    await using dev = await startDev(['--quiet'], { cwd: folder });
    await fetch(`${dev.url}/hello`);
    await save('app/hello+api.ts', "export const GET = () => new Response('version 1');");
    await dev.printed(/ reloaded \/hello/);
    expect(dev.lines.filter((line) => line.includes('GET /'))).toEqual([]);
  });
});

describe('--open', () => {
  it('opens the app in the browser that the variable BROWSER names', async () => {
    const note = path.join(folder, 'opened.txt');
    const browser = path.join(folder, 'browser.js');
    await writeFile(
      browser,
      `import('node:fs').then((fs) => fs.writeFileSync(${JSON.stringify(note)}, process.argv.at(-1)));`,
    );
    await using dev = await startDev(['--open'], { cwd: folder, env: { BROWSER: browser } });
    await expect.poll(() => readFile(note, 'utf8').catch(() => '')).toBe(`${dev.url}/`);
  });
});

describe('when files change', () => {
  it('answers with what was saved, and says so in one line', async () => {
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/hello`)).toBe('version 0');
    await save('app/hello+api.ts', "export const GET = () => new Response('version 1');");
    await becomes(`${dev.url}/hello`, 'version 1');
    await dev.printed(/^\d\d:\d\d:\d\d reloaded \/hello: app\/hello\+api\.ts changed \(\d+ ms\)$/);
    await save('text/greeting.txt', 'good night');
    await becomes(`${dev.url}/files/a`, 'a good night');
    await save('app/+middleware.ts', "export default () => new Response('closed');");
    await becomes(`${dev.url}/hello`, 'closed');
  });

  it('ends up with the last of a hundred rapid edits', async () => {
    await using dev = await startDev([], { cwd: folder });
    for (let version = 1; version <= 100; version++) {
      await save('app/hello+api.ts', `export const GET = () => new Response('version ${version}');`);
      if (version % 10 === 0) await answerOf(`${dev.url}/hello`);
    }
    await becomes(`${dev.url}/hello`, 'version 100');
    // The server's timers run in order: its remaining work is done before this one fires.
    await save(
      'app/later+api.ts',
      "export const GET = () => new Promise((resolve) => setTimeout(resolve, 300, new Response('later')));",
    );
    await becomes(`${dev.url}/later`, 'later');
    expect(await answerOf(`${dev.url}/hello`)).toBe('version 100');
  });

  it('keeps the state of modules that do not depend on the change', async () => {
    await using dev = await startDev([], { cwd: folder });
    const source = FILES['app/count+api.ts'];
    expect(await answerOf(`${dev.url}/count`)).toBe('["version 0",1]');
    await save('app/count+api.ts', source.replace('version 0', 'version 1'));
    await dev.printed(/reloaded \/count:/);
    expect(await answerOf(`${dev.url}/count`)).toBe('["version 1",2]');
    await save('lib/count.ts', 'let count = 10;\nexport const next = (): number => ++count;');
    await dev.printed(/reloaded \/count: lib\/count\.ts changed/);
    expect(await answerOf(`${dev.url}/count`)).toBe('["version 1",11]');
  });

  it('shares the variables of a module between routes, until it changes', async () => {
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/count`)).toBe('["version 0",1]');
    expect(await answerOf(`${dev.url}/count-too`)).toBe('["version 0",2]');
    await save('lib/count.ts', 'let count = 10;\nexport const next = (): number => ++count;');
    await becomes(`${dev.url}/count`, '["version 0",11]');
    expect(await answerOf(`${dev.url}/count-too`)).toBe('["version 0",12]');
  });

  it('does not restart the timer of an unchanged module', async () => {
    await save('lib/timer.ts', "console.log('timer started');\nsetInterval(() => {}, 1000);\nexport const timer = 1;");
    await save('app/timer+api.ts', "import '../lib/timer';\nexport const GET = () => new Response('a');");
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/timer`)).toBe('a');
    await save('app/timer+api.ts', "import '../lib/timer';\nexport const GET = () => new Response('b');");
    await becomes(`${dev.url}/timer`, 'b');
    await dev.printed(/^timer started$/);
    expect(dev.lines.filter((line) => line === 'timer started')).toHaveLength(1);
  });

  it('picks up a route that is added, renamed and removed', async () => {
    await using dev = await startDev([], { cwd: folder });
    expect((await fetch(`${dev.url}/new`)).status).toBe(404);
    await save('app/new+api.ts', "export const GET = () => new Response('new');");
    await becomes(`${dev.url}/new`, 'new');
    await dev.printed(/ added \/new \(app\/new\+api\.ts\) \(\d+ ms\)$/);
    await mkdir(path.join(folder, 'app/deep'));
    await rename(path.join(folder, 'app/new+api.ts'), path.join(folder, 'app/deep/[id]+api.ts'));
    await becomes(`${dev.url}/deep/1`, 'new');
    await becomes(`${dev.url}/new`, 404);
    await rm(path.join(folder, 'app/deep'), { recursive: true });
    await becomes(`${dev.url}/deep/1`, 404);
    await dev.printed(/ removed \/deep\/\[id\] \(app\/deep\/\[id\]\+api\.ts\)/);
  });

  it('picks up the config, and says what has changed in it', async () => {
    await save('vite/build.ts', 'export const build = 1;');
    await save('vite.config.ts', "import { build } from './vite/build';\nexport default { define: { build } };");
    await using dev = await startDev([], { cwd: folder });
    expect((await fetch(`${dev.url}/hello`, { method: 'HEAD' })).status).toBe(405);
    const plugins = '"plugins": [["appkit-router", { "implicitHead": true }]]';
    await save('app.json', `{ "web": { "output": "server" }, ${plugins} }`);
    await becomes(`${dev.url}/hello`, 200, { method: 'HEAD' });
    await dev.printed(/ app\.json changed: implicitHead is now true \(\d+ ms\)$/);
    await save('app.json', '{ "web": { "output": "single" } }');
    await becomes(`${dev.url}/hello`, 404);
    await save('app.config.cjs', "module.exports = { web: { output: 'server' } };");
    await becomes(`${dev.url}/hello`, 'version 0');
    await save('app.config.cjs', "module.exports = { web: { output: 'single' } };");
    await becomes(`${dev.url}/hello`, 404);
    for (const file of ['vite.config.ts', 'vite/build.ts', 'tsconfig.json', 'tsconfig.base.json']) {
      await save(file, '{}');
      await dev.printed(new RegExp(` ${RegExp.escape(path.basename(file))} has changed: start again to have it read$`));
    }
  });

  it('says when package.json changes how modules are found, and not for other changes', async () => {
    await using dev = await startDev([], { cwd: folder });
    const manifest = { name: 'renamed', type: 'module', imports: { '#text': './text.ts' } };
    const isTold = / package\.json has changed: start again to have it read$/;
    await save('package.json', JSON.stringify({ ...manifest, imports: undefined, scripts: { test: 'true' } }));
    await save('app/hello+api.ts', "export const GET = () => new Response('version 2');");
    await becomes(`${dev.url}/hello`, 'version 2');
    expect(dev.lines.filter((line) => isTold.test(line))).toEqual([]);
    await save('package.json', JSON.stringify(manifest));
    await dev.printed(isTold);
  });

  it('says why it cannot load vite.config', async () => {
    await save('vite.config.ts', 'throw new Error("no config today");');
    const { code, stderr } = await runCli(['start', '--port', '0'], { cwd: folder });
    expect([code, stderr]).toEqual([
      1,
      'error: vite.config.ts: It cannot be loaded: no config today.\n  Correct it.\n',
    ]);
  });

  it('writes the types of the routes, again when they change', async () => {
    await using dev = await startDev([], { cwd: folder });
    const file = path.join(folder, '.appkit/types/routes.d.ts');
    expect(existsSync(file)).toBe(true);
    await save('app/new/[slug]+api.ts', "export const GET = () => new Response('new');");
    await becomes(`${dev.url}/new/a`, 'new');
    await dev.printed(/ added \/new/);
    expect(await text(createReadStream(file))).toContain('"/new/[slug]"');
  });
});

describe('errors', () => {
  it('shows a browser where an error was thrown, as text and not as markup', async () => {
    await using dev = await startDev([], { cwd: folder });
    const response = await fetch(`${dev.url}/throws`, inHtml);
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    const page = await response.text();
    expect(page).toContain('not &#60;script&#62;alert(1)&#60;/script&#62;');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('app/throws+api.ts:5:13');
    expect(page).toContain('&#62; 5 |       throw new TypeError(');
    expect(page).toContain('at GET (app/throws+api.ts:5:13)');
  });

  it('answers JSON to callers that accept it, and text to others', async () => {
    const dev = await startShared();
    const response = await fetch(`${dev.url}/throws`, inJson);
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
    expect(await response.json()).toMatchObject({
      error: {
        name: 'TypeError',
        message: 'not <script>alert(1)</script>',
        stack: expect.stringContaining('at GET (app/throws+api.ts:5:13)'),
        frame: { file: 'app/throws+api.ts', line: 5, column: 13, code: expect.stringContaining('> 5 |') },
      },
    });
    const plain = await fetch(`${dev.url}/throws`);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([500, 'text/plain; charset=utf-8']);
    expect(plain.headers.get('vary')).toBe('Accept');
    expect(await plain.text()).toContain('TypeError: not <script>');
    await expect.poll(dev.errors).toContain('GET /throws failed.');
    await expect.poll(dev.errors).toContain('    at GET (app/throws+api.ts:5:13)');
  });

  it('reloads the error page when a file is saved, even before the page listens', async () => {
    await using dev = await startDev([], { cwd: folder });
    const page = await answerOf(`${dev.url}/throws`, inHtml);
    const changes = JSON.parse(/new EventSource\((".*?")\)/.exec(page)?.[1] ?? '""') as string;
    const listening = await fetch(dev.url + changes);
    expect(listening.headers.get('content-type')).toBe('text/event-stream');
    const reader = listening.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(':\n\n');
    await save('app/throws+api.ts', "export const GET = () => new Response('mended');");
    expect((await reader?.read())?.value).toBe('event: change\ndata:\n\n');
    expect(await answerOf(`${dev.url}/throws`, inHtml)).toBe('mended');
    await reader?.cancel();
    const late = (await fetch(dev.url + changes)).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await late?.read())?.value).toBe('event: change\ndata:\n\n');
    await late?.cancel();
  });

  it('reports a syntax error as an export does, and recovers', async () => {
    await using dev = await startDev([], { cwd: folder });
    await save('app/hello+api.ts', 'export const GET = () => {');
    await becomes(`${dev.url}/hello`, 500);
    const { error } = (await (await fetch(`${dev.url}/hello`, inJson)).json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ frame: { file: 'app/hello+api.ts', line: 1, column: 27 } });
    const exported = await runCli(['export'], { cwd: folder });
    const said = /app\/hello\+api\.ts:1:27: (.*)/.exec(exported.stderr)?.[1] ?? 'nothing';
    expect(error['message']).toContain(said);
    await expect.poll(() => dev.errors()).toContain(`app/hello+api.ts:1:27: ${said}`);
    expect((await fetch(`${dev.url}/count`)).status).toBe(200);
    await save('app/hello+api.ts', "export const GET = () => new Response('mended');");
    await becomes(`${dev.url}/hello`, 'mended');
  });

  it('reports an unresolved import until the file exists', async () => {
    await save('app/hello+api.ts', "import { word } from '../lib/word';\nexport const GET = () => new Response(word);");
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/hello`)).toContain(
      "app/hello+api.ts:1:22: Nothing was found for '../lib/word'. Correct the path.",
    );
    await save('lib/word.ts', "export const word = 'found';");
    await becomes(`${dev.url}/hello`, 'found');
    await rm(path.join(folder, 'lib/word.ts'));
    await becomes(`${dev.url}/hello`, 500);
  });

  it('refuses an import in another letter case than the file has, as an export does', async () => {
    await save('lib/word.ts', "export const word = 'found';");
    await save('app/hello+api.ts', "import { word } from '../lib/word';\nexport const GET = () => new Response(word);");
    // As on a disk that ignores letter case, lib/word.ts is found by either name.
    const listAnother = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { readdirSync } = fs;
      fs.readdirSync = (...all) => readdirSync(...all).map((name) => (name === 'word.ts' ? 'Word.ts' : name));
      syncBuiltinESMExports();`;
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(listAnother)}`];
    await using dev = await startDev([], { cwd: folder, nodeArgs });
    expect(await answerOf(`${dev.url}/hello`)).toContain(
      'app/hello+api.ts:1:22: It imports lib/word.ts, but the file is called lib/Word.ts.',
    );
    const { stderr } = await runCli(['export'], { cwd: folder, nodeArgs });
    expect(stderr).toContain('app/hello+api.ts:1:22: It imports lib/word.ts, but the file is called lib/Word.ts.');
  });

  it('evaluates a failed module again, and a failed package, as production does', async () => {
    await save(
      'app/hello+api.ts',
      "console.log('evaluated');\nthrow new Error('at the start');\nexport const GET = () => 1;",
    );
    const flaky = (name: string, loaded: string): string =>
      `globalThis.${name} = (globalThis.${name} ?? 0) + 1;\nif (globalThis.${name} === 1) throw new Error('not up yet');\n${loaded}`;
    await save('lib/node_modules/esm/package.json', '{ "name": "esm", "type": "module", "exports": "./index.js" }');
    await save('lib/node_modules/esm/index.js', flaky('esm', 'let count = 0;\nexport const next = () => ++count;'));
    await save('lib/node_modules/cjs/package.json', '{ "name": "cjs" }');
    await save('lib/node_modules/cjs/index.js', flaky('cjs', 'let count = 0;\nexports.next = () => ++count;'));
    await save('lib/esm.ts', "export { next } from 'esm';");
    await save('lib/cjs.ts', "export { next } from 'cjs';");
    await save('lib/required.ts', "export const next = () => require('cjs').next();");
    for (const name of ['esm', 'cjs', 'required'])
      await save(
        `app/${name}+api.ts`,
        `import { next } from '../lib/${name}';\nexport const GET = () => Response.json(next());`,
      );
    await using dev = await startDev([], { cwd: folder });
    for (let index = 0; index < 2; index++) expect((await fetch(`${dev.url}/hello`)).status).toBe(500);
    await expect.poll(() => dev.lines.filter((line) => line === 'evaluated')).toHaveLength(2);
    for (const name of ['esm', 'cjs']) {
      expect((await fetch(`${dev.url}/${name}`)).status).toBe(500);
      expect(await answerOf(`${dev.url}/${name}`)).toBe('1');
      expect(await answerOf(`${dev.url}/${name}`)).toBe('2');
    }
    expect(await answerOf(`${dev.url}/required`)).toBe('3');
  });

  it("keeps a module that has caught an import's failure", async () => {
    await save('lib/broken.ts', "throw new Error('broken');");
    await save(
      'lib/state.ts',
      "try { await import('./broken'); } catch {}\nlet count = 0;\nexport const next = () => ++count;",
    );
    for (const name of ['one', 'two'])
      await save(
        `app/${name}+api.ts`,
        "import { next } from '../lib/state';\nexport const GET = () => Response.json(next());",
      );
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/one`)).toBe('1');
    expect(await answerOf(`${dev.url}/two`)).toBe('2');
  });

  it('names the source of a route that returns no Response', async () => {
    await save('app/hello+api.ts', 'export const GET = () => undefined;');
    await using dev = await startDev([], { cwd: folder });
    expect(await (await fetch(`${dev.url}/hello`)).text()).toContain('GET of app/hello+api.ts returned undefined');
  });

  it('refuses what an export would refuse, only for the affected routes', async () => {
    await save('app/lower+api.ts', 'export const get = () => new Response();');
    await save('app/twice+api.ts', 'export const GET = () => new Response();');
    await save('app/(one)/twice+api.ts', 'export const GET = () => new Response();');
    await save('app/platform+api.web.ts', 'export const GET = () => new Response();');
    await using dev = await startDev([], { cwd: folder });
    for (const [target, said] of [
      ['/lower', 'app/lower+api.ts:1:14: The handler get is never called: methods are written in capitals.'],
      ['/twice', 'It answers the same URL as'],
      [
        '/platform',
        'app/platform+api.web.ts: Platform extensions do not work in route files. Rename it to platform+api.ts.',
      ],
    ]) {
      const response = await fetch(`${dev.url}${target}`);
      expect([response.status, await response.text()]).toEqual([500, expect.stringContaining(said ?? '')]);
    }
    expect((await fetch(`${dev.url}/hello`)).status).toBe(200);
    await expect.poll(dev.errors).toContain('The handler get is never called');
    await expect.poll(dev.errors).toContain('Rename it to platform+api.ts.');
  });

  it('answers no request when middleware is misnamed or the config cannot be read', async () => {
    await using dev = await startDev([], { cwd: folder });
    await rename(path.join(folder, 'app/+middleware.ts'), path.join(folder, 'app/middleware.ts'));
    await becomes(`${dev.url}/hello`, /app\/middleware\.ts: It looks like middleware/);
    await rename(path.join(folder, 'app/middleware.ts'), path.join(folder, 'app/+middleware.ts'));
    await becomes(`${dev.url}/hello`, 'version 0');
    await save('app/+middleware.ts', 'export const middleware = () => undefined;');
    await becomes(`${dev.url}/hello`, /app\/\+middleware\.ts: Middleware needs a default export\./);
    await save('app/+middleware.ts', FILES['app/+middleware.ts']);
    await becomes(`${dev.url}/hello`, 'version 0');
    await save('app.json', '{');
    await becomes(`${dev.url}/hello`, /app\.json:1:2: It is not valid JSON/);
    await save('app.json', '{}');
    await becomes(`${dev.url}/hello`, 'version 0');
  });

  it('prints no escape sequence that a request has put into a message', async () => {
    await save(
      'app/quotes/[text]+api.ts',
      'export const GET = (_: Request, { text }: { text: string }) => { throw new Error(`There is no ${text}`); };',
    );
    await using dev = await startDev([], { cwd: folder });
    expect((await fetch(`${dev.url}/quotes/%1b]52;c;cm0=%07`)).status).toBe(500);
    await expect.poll(dev.errors).toContain(String.raw`Error: There is no \x1b]52;c;cm0=\x07`);
  });

  it('survives an unhandled error, and prints it', async () => {
    await save(
      'app/stray+api.ts',
      "export const GET = () => {\n  void Promise.reject(new Error('stray'));\n  return new Response('sent');\n};",
    );
    await using dev = await startDev([], { cwd: folder });
    expect(await answerOf(`${dev.url}/stray`)).toBe('sent');
    expect(await answerOf(`${dev.url}/hello`)).toBe('version 0');
    await expect.poll(dev.errors).toContain('Error: stray');
  });
});

describe('who may ask', () => {
  async function statusFor(url: string, host: string): Promise<number | undefined> {
    const request = httpRequest(`${url}/hello`, { headers: { host } }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  it('answers to local names only', async () => {
    const dev = await startShared();
    const { port } = new URL(dev.url);
    for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]:1', 'app.localhost']) {
      expect([host, await statusFor(dev.url, host)]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', `evil.example:${port}`, '192.0.2.1', 'localhost.evil.example']) {
      expect([host, await statusFor(dev.url, host)]).toEqual([host, 403]);
    }
  });

  it('listens on this machine only', async ({ skip }) => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const outer = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
    if (!outer) return skip('This machine has only loopback addresses.');
    const dev = await startShared();
    const socket = connect(Number(new URL(dev.url).port), outer.address);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });
});

describe('how it ends', () => {
  it("ends at once at Ctrl-C during a request, and leaves the types and Vite's cache", async () => {
    const before = await readdir(folder);
    await using dev = await startDev([], { cwd: folder });
    const { body } = await fetch(`${dev.url}/stream`);
    await body?.getReader().read();
    // The stream never ends: waiting for it would hang.
    dev.signal('SIGINT');
    expect((await dev.exited).code).toBe(0);
    const left = (await readdir(folder)).filter((name) => !before.includes(name));
    expect(left).toEqual(['.appkit']);
    const kept = await readdir(path.join(folder, '.appkit'), { recursive: true });
    expect(kept.filter((name) => !name.startsWith('vite'))).toEqual(['types', 'types/routes.d.ts']);
  });
});

describe('Vite', () => {
  it('cannot read a folder with # in its name, which is said at once', async () => {
    await using app = await createTemporaryApp({ 'c#/shop/app/hello+api.ts': '' });
    const { code, stdout, stderr } = await runCli(['start', 'c#/shop', '--port=0'], { cwd: app.folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `error: ${path.join(app.folder, 'c#/shop')}: Vite cannot read files below a folder with # in its name.\n` +
        '  Rename that folder, or move the app out of it.\n',
    );
  });

  it('is not called missing when package.json is not JSON', async () => {
    await using app = await createTemporaryApp({ 'package.json': '<<<<<<< HEAD', 'app/hello+api.ts': '' });
    const { code, stderr } = await runCli(['start'], { cwd: app.folder });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error: Invalid package config .*package\.json.*\n {2}It is not JSON: correct the syntax\.\n$/,
      ),
    ]);
  });

  it('is named when it is not installed, and only start needs it', async () => {
    const elsewhere = `${original.folder}-alone`; // in the folder of the tests Vite would be found
    try {
      await mkdir(path.join(elsewhere, 'node_modules'), { recursive: true });
      await cp(path.join(folder, 'app/variables+api.ts'), path.join(elsewhere, 'app/variables+api.ts'));
      await symlink(
        path.resolve(import.meta.dirname, '../../../runtime'),
        path.join(elsewhere, 'node_modules/appkit-server'),
      );
      const { code, stderr } = await runCli(['start'], { cwd: elsewhere });
      expect([code, stderr]).toEqual([
        1,
        'error: appkit start needs Vite, which is not installed.\n' +
          '  Install it in the folder of the app: npm install --save-dev vite@8\n',
      ]);
      expect((await runCli(['export'], { cwd: elsewhere })).code).toBe(0);
      await using serve = await startServe(['--port=0'], { cwd: elsewhere });
      expect(await answerOf(`${serve.url}/variables`)).toContain('production');
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('leaves no development code in an export', async () => {
    expect((await runCli(['export', '--no-minify'], { cwd: folder })).code).toBe(0);
    for (const name of await readdir(path.join(folder, 'dist'), { recursive: true })) {
      if (!/\.(?:js|json|map|html)$/.test(name)) continue;
      const content = await text(createReadStream(path.join(folder, 'dist', name)));
      expect([name, /_appkit\/dev|EventSource|vite/i.exec(content)]).toEqual([name, null]);
    }
  });
});
