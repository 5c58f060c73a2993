import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { expectToHydrate, expectToStream } from './fixtures/site-tests.ts';
import { developSite } from './fixtures/serve-site.ts';
import type { DevelopedSite } from './fixtures/serve-site.ts';

const asBrowser = { headers: { accept: 'text/html' } };

// A page with its own state, and data from a module that only its loader uses.
const NOTES = `import { useLoaderData } from 'appkit-router';
import { useState } from 'react';
import { readNote } from '../server/notes.ts';
export async function loader() {
  return { note: readNote() };
}
export default function Notes() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>Notes</h1>
      <p id="note">{useLoaderData<typeof loader>().note}</p>
      <button id="count" onClick={() => setCount(count + 1)}>Count {count}</button>
    </main>
  );
}
`;

const toNotes = (name: string): Record<string, string> => ({
  [`app/${name}.tsx`]: NOTES.replace('notes.ts', `${name}.ts`),
  [`server/${name}.ts`]: "export const readNote = () => 'first note';",
});

let browser: Browser;

beforeAll(async () => {
  browser = await startSiteBrowser();
});

afterAll(() => browser.close());

const textIs = (page: Page, selector: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    ([selector = '', text]) => document.querySelector(selector)?.textContent === text,
    [selector, text],
  );

it('is styled, hydrates and follows what is saved under a policy with a nonce', async () => {
  const site = await developSite({
    files: {
      'app/+middleware.ts': `
        import { nonce, setResponseHeaders } from 'appkit-server';
        export default function middleware() {
          const own = "'self' 'nonce-" + nonce() + "'";
          const policy = "default-src 'none'; connect-src 'self'; img-src 'self'; style-src " + own + "; script-src " + own;
          setResponseHeaders({ 'content-security-policy': policy });
        }`,
      'app/colour.css': 'h1 { color: rgb(1, 2, 3) }',
      'app/coloured.tsx': `import './colour.css';
        export const loader = () => 'of the loader';
        export default () => <h1>Coloured</h1>;`,
      'app/bare.tsx': `import './colour.css';
        export const hydrate = false;
        export const loader = () => 'of the loader';
        export default () => <h1>Coloured</h1>;`,
    },
  });
  onTestFinished(() => site[Symbol.asyncDispose]());
  const { page, problems } = await openPage(browser);
  const colour = (): Promise<string> => page.$eval('h1', (heading) => getComputedStyle(heading).color);
  for (const name of ['bare', 'coloured']) {
    await page.goto(`${site.url}/${name}`);
    expect(await colour()).toBe('rgb(1, 2, 3)');
  }
  await hydrated(page);
  await site.save('app/colour.css', 'h1 { color: rgb(4, 5, 6) }');
  await expect.poll(colour).toBe('rgb(4, 5, 6)');
  expect(problems).toEqual([]);
});

describe('what is served', () => {
  let site: DevelopedSite;

  beforeAll(async () => {
    const rules = {
      redirects: [{ source: '/old', destination: '/about' }],
      rewrites: [{ source: '/info', destination: '/about' }],
      headers: { 'x-site': 'yes' },
    };
    site = await developSite({
      config: { web: { output: 'server' }, plugins: [['appkit-router', rules]] },
      files: {
        '.env': 'SECRET=in-dot-env',
        'app/things/[id]/[...path]+api.ts': `export const POST = async (request: Request, params: object) =>
  Response.json([params, new URL(request.url).search, await request.text()]);`,
        'app/call.tsx': `import { fetchRoute } from 'appkit-router';
import { useState } from 'react';
export default function Call() {
  const [answer, setAnswer] = useState('none');
  const call = async (id: string) => {
    const options = { method: 'POST', params: { id, path: 'a b/c' }, query: { x: 1, none: undefined }, body: 'text' };
    const response = await fetchRoute('/things/[id]/[...path]', options).catch(String);
    setAnswer(typeof response === 'string' ? response : await response.text());
  };
  return (
    <main>
      <output id="answer">{answer}</output>
      <button id="call" onClick={() => call('1/2')}>Call</button>
      <button id="wrong" onClick={() => call('..')}>Wrong</button>
    </main>
  );
}`,
        'vite.config.js': `export default { define: { __STAGE__: '"constant"' } };`,
        'app/stage+api.ts': 'export const GET = () => new Response(__STAGE__);',
        'app/with-problem.tsx': 'export const nothing = 1;',
        'node_modules/counter/package.json': '{ "name": "counter" }',
        'node_modules/counter/index.js': `const { useState } = require('react');
exports.useCounter = (step) => { const [n, set] = useState(0); return [n, () => set(n + step)]; };`,
        'node_modules/twice/package.json': '{ "name": "twice" }',
        'node_modules/twice/index.js': "exports.useTwice = () => require('counter').useCounter(2);",
        'node_modules/lost/package.json': '{ "name": "lost" }',
        'node_modules/lost/index.js': "exports.part = require('./gone.css?of-a-bundler');",
        'app/lost.tsx': "import { part } from 'lost'; export default () => <p>{part}</p>;",
        'node_modules/wrong/package.json': '{ "name": "wrong" }',
        'node_modules/wrong/index.js': 'exports.part = = 1;',
        'app/wrong.tsx': "import { part } from 'wrong'; export default () => <p>{part}</p>;",
        'app/unreadable.tsx': 'export default () => <p>;',
        'node_modules/only-server/package.json': '{ "name": "only-server" }',
        'node_modules/only-server/index.js': "exports.name = require('node:os').hostname();",
        'app/counted/[id].tsx': `import { useCounter } from 'counter';
import { name } from 'only-server';
export const loader = () => ({ name });
export default function Counted() { return <p>{useCounter(1)[0]}</p>; }`,
        'app/dist/counted-twice.tsx': `import { useTwice } from 'twice';
export default function Counted() {
  const [count, add] = useTwice();
  return <button id="count" onClick={add}>Count {count}</button>;
}`,
        'lib/decorated.ts': 'const as = (given: unknown) => given;\n// @as\nexport class Decorated { @as one() {} }',
        'app/decorates.tsx': `import { Decorated } from '../lib/decorated.ts';
export default function Decorates() { return <p>{new Decorated().one()}</p>; }`,
        'app/throws.tsx': `
export default function Throws() {
  throw new TypeError('while rendering');
}`,
        'app/leak.tsx': `import { GET } from './hello+api.ts';
export default function Leak() { return <p>{String(GET)}</p>; }`,
        'app/acts.tsx': `export default function Acts() { return <p>acts</p>; }
export const getServerData = async () => new Response();`,
        'lib/save.ts': `export async function save() { 'use server'; }`,
        'app/styled.css': '.a { background: url(Logo.svg) }',
        'app/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" />',
        'app/styled.tsx': "import './styled.css'; export default () => <p className='a'>styled</p>;",
        'app/saves.tsx': `import { save } from '../lib/save.ts';
export default function Saves() { return <p onClick={save}>saves</p>; }`,
      },
    });
  });

  afterAll(() => site[Symbol.asyncDispose]());

  it.each(['/', '/about', '/cart', '/items/1', '/items/3?tag=a&tag=b', '/slow', '/nowhere?x', '/broken', '/private'])(
    'hydrates %s without a warning',
    (pathname) => expectToHydrate(browser, site.url + pathname),
  );

  // Also those of a page in a folder dist, of pages next to one that cannot be read, and to packages that cannot be bundled.
  it('knows the packages of all pages at the start, so that no document has to be loaded again', async () => {
    const { page, problems, requests } = await openPage(browser);
    await page.goto(`${site.url}/counted/1`);
    await hydrated(page);
    // Vite would have bundled the package of the first page alone, and would bundle it again with the second.
    await page.goto(`${site.url}/dist/counted-twice`);
    await hydrated(page);
    await page.click('#count');
    await textIs(page, '#count', 'Count 2');
    await page.waitForLoadState('networkidle');
    expect(requests.filter((target) => target === '/dist/counted-twice')).toHaveLength(1);
    expect(problems).toEqual([]);
    const bundled = await readdir(path.join(site.folder, '.appkit/vite/deps'));
    expect([bundled.includes('counter.js'), bundled.includes('only-server.js')]).toEqual([true, false]);
  });

  it('replaces the constants of vite.config in routes, as an export does', async () => {
    expect(await (await fetch(`${site.url}/stage`)).text()).toBe('constant');
  });

  it('has the styles in the first HTML', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${site.url}/about`);
    const style = await page.locator('.about').evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [color, backgroundColor];
    });
    expect(style).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)']);
    await context.close();
  });

  it('answers pages, their data, routes, rules and missing paths as production does', async () => {
    const answer = async (target: string, init: RequestInit = {}): Promise<unknown[]> => {
      const response = await fetch(site.url + target, { redirect: 'manual', ...init });
      return [response.status, response.headers.get('location'), (await response.text()).slice(0, 300)];
    };
    expect(await answer('/items/9?x=1&_appkit_data')).toEqual([200, null, expect.stringContaining('"Item 9"')]);
    expect(await answer('/items/1?x=1&_appkit_data')).toEqual([200, null, expect.stringContaining('"Item 1"')]);
    expect(await answer('/private?_appkit_data')).toEqual([204, null, '']);
    expect(await answer('/private')).toEqual([303, '/about', '']);
    expect(await answer('/cart', { method: 'POST', body: 'x' })).toEqual([200, null, '{"posted":"x"}']);
    expect(await answer('/about', { method: 'POST' })).toEqual([405, null, 'Method not allowed']);
    expect(await answer('/nowhere')).toEqual([404, null, expect.stringMatching(/^<!DOCTYPE html>/)]);
    expect(await answer('/nowhere', { headers: { accept: 'text/html;q=0' } })).toEqual([404, null, 'Not found']);
    expect((await fetch(`${site.url}/nowhere`)).headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(await answer('/old')).toEqual([307, '/about', '']);
    const rewritten = await fetch(`${site.url}/info`);
    expect([rewritten.headers.get('x-site'), await rewritten.text()]).toEqual([
      'yes',
      expect.stringContaining('<h1>About</h1>'),
    ]);
  });

  it('streams', () => expectToStream(site.url));

  it('sends no server code to the browser', async () => {
    const { page } = await openPage(browser);
    const bodies = new Map<string, string>();
    page.on('response', async (response) => bodies.set(response.url(), await response.text().catch(() => '')));
    for (const pathname of ['/', '/about', '/cart', '/items/1', '/slow', '/broken', '/nowhere']) {
      await page.goto(site.url + pathname);
      await hydrated(page);
    }
    const urls = [...bodies.keys()].filter((url) => url.includes('/_appkit/dev/vite/'));
    // Checked by hand as well, including the inlined source maps.
    for (const url of urls) {
      const text = await (await fetch(url)).text();
      const maps = [...text.matchAll(/sourceMappingURL=data:application\/json;base64,([\w+/=]+)/g)];
      const all = [bodies.get(url), text, ...maps.map(([, map = '']) => Buffer.from(map, 'base64').toString())].join();
      expect([url, /price-list-key-of-the-server|PRICE_LIST_KEY|findItem|new StatusError/.exec(all)]).toEqual([
        url,
        null,
      ]);
    }
    expect(urls.some((url) => url.includes('/app/items/'))).toBe(true);
    expect(urls.filter((url) => /\/server\/|\+api/.test(url))).toEqual([]);
  });

  it('calls a route by its pattern', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/call`);
    await hydrated(page);
    await page.click('#call');
    await textIs(page, '#answer', '[{"id":"1/2","path":"a b/c"},"?x=1","text"]');
    await page.click('#wrong');
    await page.waitForSelector('#answer:text("TypeError: fetchRoute: /things")');
  });

  // Vite shows what it refuses as an overlay on the next page that is opened: no test below opens one.
  it('refuses files outside of the app, and those with secrets', async () => {
    const fromVite = (target: string): Promise<Response> => fetch(`${site.url}/_appkit/dev/vite/${target}`);
    for (const target of ['@fs/etc/passwd', '.env', '.env?raw', 'app.json?raw']) {
      expect([target, (await fromVite(target)).status]).toEqual([target, 403]);
    }
    for (const target of ['app/hello+api.ts', 'app/hello+api.ts?raw', 'app/items/[id].tsx?raw']) {
      const response = await fromVite(target);
      expect([target, response.ok, await response.text()]).not.toEqual([target, true, expect.anything()]);
    }
  });

  it('answers for a page with the problem that prevents its export', async () => {
    const html = await (await fetch(`${site.url}/with-problem`, asBrowser)).text();
    expect(html).toContain('has no default export');
    expect((await fetch(`${site.url}/leak`, asBrowser)).status).toBe(500);
    const leak = await (await fetch(`${site.url}/leak`, asBrowser)).text();
    expect(leak).toContain('app/leak.tsx → app/hello+api.ts');
    const acts = await (await fetch(`${site.url}/acts`)).text();
    expect(acts).toContain('app/acts.tsx:2:14: It exports getServerData, which means nothing here');
    const saves = await (await fetch(`${site.url}/saves`)).text();
    expect(saves).toContain("lib/save.ts:1:32: 'use server' means nothing here");
    expect((await fetch(`${site.url}/about`, asBrowser)).status).toBe(200);
  });

  it('refuses a page whose style sheet names a file in another letter case than the file has', async () => {
    const response = await fetch(`${site.url}/styled`);
    const said = 'app/styled.css:1:22: It names app/Logo.svg, but the file is called app/logo.svg.';
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining(said)]);
  });

  it('says of a page with decorators that nothing compiles where they are', async () => {
    const answer = await fetch(`${site.url}/decorates`, { headers: { accept: 'application/json' } });
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('lib/decorated.ts:3:26: Node and browsers cannot run decorators'),
    ]);
  });

  it('shows where rendering has failed, by the position in the source', async () => {
    const response = await fetch(`${site.url}/throws`, asBrowser);
    const html = await response.text();
    expect([response.status, html]).toEqual([500, expect.stringContaining('while rendering')]);
    expect(html).toContain('app/throws.tsx:3:9');
    expect(html).toContain('&gt; 3 |'.replace('&gt;', '&#62;'));
  });

  it('prints the pages', () => {
    expect(site.process.lines).toContainEqual(
      expect.stringMatching(/^\/items\/\[id\] +page +app\/items\/\[id\]\.tsx$/),
    );
  });

  // Last: Vite reports the errors to the next page.
  it('serves no file from the disk, no secret and no server code through a Vite URL', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'appkit-outside-'));
    onTestFinished(() => rm(outside, { recursive: true }));
    const secret = 'nobody-may-read-this';
    await Promise.all(['note.txt', 'note.md', 'note.svg'].map((name) => writeFile(path.join(outside, name), secret)));
    const inside = [
      '.npmrc',
      '.dev.vars',
      '.docker/config.json',
      'id_rsa',
      'store.p12',
      'service-account.json',
      'app/vault+api.ts',
    ];
    for (const name of inside) await site.save(name, `export const GET = '${secret}';`);
    await site.save('lib/marked.ts', `import 'server-only';\nexport const value = '${secret}';\n`);
    await site.save('lib/marked.cts', `import 'server-only';\nexport const value = '${secret}';\n`);
    await symlink(path.join(outside, 'note.txt'), path.join(site.folder, 'linked.txt'));
    await symlink(outside, path.join(site.folder, 'public/linked'));
    await symlink(outside, path.join(site.folder, '@linked'));
    const names = [
      ...['note.txt', 'note.md', 'note.svg'].flatMap((name) => [
        `@fs${outside}/${name}`,
        `@id/${outside}/${name}`,
        `@id/__x00__public:${path.relative(path.join(site.folder, 'public'), path.join(outside, name))}`,
        `${path.relative(site.folder, path.join(outside, name)).replaceAll('..', '%2e%2e')}`,
      ]),
      'linked.txt',
      'public/linked/note.md',
      '@linked/note.md',
      'lib/marked.cts',
      'lib/marked.ts',
      '@fs' + site.folder + '/lib/marked.ts',
      ...inside,
      ...inside.map((name) => `@fs${site.folder}/${name}`),
    ];
    for (const name of names) {
      for (const query of ['', '?import', '?raw', '?import&raw', '?url', '?inline', '?import&inline', '?html-proxy']) {
        const response = await fetch(`${site.url}/_appkit/dev/vite/${name}${query}`);
        const text = await response.text();
        const coded = Buffer.from(secret).toString('base64').slice(0, 20);
        expect([name + query, text.includes(secret) || text.includes(coded)]).toEqual([name + query, false]);
        expect([name + query, response.headers.get('access-control-allow-origin')]).toEqual([name + query, null]);
      }
    }
    // The app's own files are served to its own pages.
    const own = await fetch(`${site.url}/_appkit/dev/vite/app/about.tsx`, {
      headers: { origin: 'http://localhost:1' },
    });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('opens an editor only for its own pages', async () => {
    const open = async (from: string | undefined, name = '__open-in-editor'): Promise<number> => {
      const headers = from === undefined ? {} : { 'sec-fetch-site': from };
      return (await fetch(`${site.url}/_appkit/dev/vite/${name}?file=nothing`, { headers })).status;
    };
    const sites = ['cross-site', 'same-site', 'none', undefined];
    expect(await Promise.all(sites.map((from) => open(from)))).toEqual([403, 403, 403, 403]);
    expect(await open('cross-site', '__Open-In-Editor')).toBe(403);
  });
});

describe('when files change', () => {
  let site: DevelopedSite;
  // One server for all tests, since starting one takes longer than most of them: each edits its own page and module.
  let notes = '';
  let count = 0;
  const start = async (): Promise<void> => {
    const pages = Array.from({ length: 13 }, (_, index) => toNotes(`notes-${index + 1}`));
    site = await developSite({ files: Object.assign({}, ...pages) });
  };

  beforeAll(start);

  beforeEach(() => {
    notes = `notes-${++count}`;
    site.process.lines.length = 0;
  });

  // A failed test leaves nothing behind for the next one.
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await site[Symbol.asyncDispose]();
    await start();
  });

  afterAll(() => site[Symbol.asyncDispose]());

  it('shows an edited page, layout, style and route, and keeps the state', async () => {
    // The page that all other tests share.
    await using site = await developSite();
    const { page, problems, requests } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.click('#count');
    await page.click('#layout');
    const before = requests.length;
    await site.edit('app/index.tsx', '<h1>Home</h1>', '<h1>House</h1>');
    await textIs(page, 'h1', 'House');
    await site.edit('app/_layout.tsx', 'Layout {clicks}', 'Frame {clicks}');
    await textIs(page, '#layout', 'Frame 1');
    expect(await page.textContent('#count')).toBe('Count 1');
    await site.edit('app/style.css', 'rgb(1, 2, 3)', 'rgb(7, 8, 9)');
    await page.waitForFunction(() => getComputedStyle(document.body).color === 'rgb(7, 8, 9)');
    expect(await page.textContent('#count')).toBe('Count 1');
    await site.edit('app/hello+api.ts', "'world'", "'everybody'");
    await page.waitForFunction(async () => (await (await fetch('/hello')).text()).includes('everybody'));
    expect(requests.slice(before).filter((one) => one === '/')).toEqual([]);
    // The server has it too.
    expect(await (await fetch(site.url)).text()).toContain('<h1>House</h1>');
    expect(problems).toEqual([]);
  });

  it('requests the data again when a loader changes, or a module that only the loader uses', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${site.url}/${notes}`);
    await hydrated(page);
    await page.click('#count');
    await site.edit(`server/${notes}.ts`, 'first note', 'second note');
    await textIs(page, '#note', 'second note');
    await site.edit(`app/${notes}.tsx`, 'note: readNote()', "note: readNote() + '!'");
    await textIs(page, '#note', 'second note!');
    expect(await page.textContent('#count')).toBe('Count 1');
    expect(problems).toEqual([]);
    await site.process.printed(new RegExp(` reloaded the pages: app/${notes}\\.tsx changed \\(\\d+ ms\\)$`));
  });

  it('loads a page without JavaScript again when it, its layout, its style or its data change', async () => {
    await using site = await developSite({
      files: {
        'app/plain.tsx': `import './plain.css';
import { useLoaderData } from 'appkit-router';
import { text } from '../server/plain.ts';
export const hydrate = false;
export const loader = () => text;
export default function Plain() { return <h1>One {useLoaderData<typeof loader>()}</h1>; }`,
        'app/plain.css': 'h1 { color: rgb(1, 1, 1); }',
        'server/plain.ts': "export const text = 'a';",
      },
    });
    const { page } = await openPage(browser);
    const connected = (): Promise<unknown> =>
      page.waitForEvent('console', (message) => message.text().includes('[vite] connected'));
    const shown = async (text: string, color = 'rgb(1, 1, 1)', layout = 'Layout'): Promise<void> => {
      const again = connected();
      await page.waitForFunction(
        ([h1, style, start]) => {
          const title = document.querySelector('h1');
          const isStyled = title !== null && getComputedStyle(title).color === style;
          return (
            isStyled && title.textContent === h1 && document.querySelector('#layout')?.textContent?.startsWith(start)
          );
        },
        [text, color, layout] as const,
      );
      await again;
    };
    const opened = shown('One a');
    await page.goto(`${site.url}/plain`);
    await opened;
    const steps: [name: string, text: string, by: string, ...shown: Parameters<typeof shown>][] = [
      ['app/plain.tsx', 'One', 'Two', 'Two a'],
      ['server/plain.ts', "'a'", "'b'", 'Two b'],
      ['app/plain.css', '1, 1, 1', '2, 2, 2', 'Two b', 'rgb(2, 2, 2)'],
      ['app/_layout.tsx', 'Layout {clicks}', 'Frame {clicks}', 'Two b', 'rgb(2, 2, 2)', 'Frame'],
    ];
    for (const [name, text, by, ...expected] of steps) {
      const isShown = shown(...expected);
      await site.edit(name, text, by);
      await isShown;
    }
  });

  it('shows a syntax error over the page, until it is fixed', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/${notes}`);
    await hydrated(page);
    await page.click('#count');
    await site.edit(`app/${notes}.tsx`, '<h1>Notes</h1>', '<h1>Notes<h1>');
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.locator('.file').first().textContent()).toContain(`app/${notes}.tsx`);
    expect(await page.textContent('#count')).toBe('Count 1');
    await site.edit(`app/${notes}.tsx`, '<h1>Notes<h1>', '<h1>Jotter</h1>');
    await textIs(page, 'h1', 'Jotter');
    await overlay.waitFor({ state: 'detached' });
  });

  it('answers with a syntax error, in a page that reloads when it is fixed', async () => {
    await site.edit(`app/${notes}.tsx`, '<h1>Notes</h1>', '<h1>Notes<h1>');
    const { page } = await openPage(browser);
    const answered = await page.goto(`${site.url}/${notes}`);
    expect(answered?.status()).toBe(500);
    expect(await page.textContent('.place')).toMatch(new RegExp(`^app/${notes}\\.tsx:\\d+:\\d+$`));
    expect(await page.textContent('h1')).toContain('Expected corresponding JSX closing tag');
    await site.edit(`app/${notes}.tsx`, '<h1>Notes<h1>', '<h1>Diary</h1>');
    await page.waitForSelector('h1:text("Diary")');
    await hydrated(page);
  });

  it('shows an error of a loader over the page, with its position, until it is fixed', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/${notes}`);
    await hydrated(page);
    await site.save(`server/${notes}.ts`, "export function readNote(): string {\n  throw new Error('no ink');\n}\n");
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.locator('.message').textContent()).toContain('no ink');
    expect(await overlay.locator('.frame').first().textContent()).toContain("> 2 |   throw new Error('no ink');");
    expect(await overlay.locator('.file').first().textContent()).toContain(`server/${notes}.ts:2:9`);
    await site.save(`server/${notes}.ts`, "export const readNote = () => 'ink again';");
    await textIs(page, '#note', 'ink again');
    await overlay.waitFor({ state: 'detached' });
  });

  it('reloads a page whose data change before it is hydrated', async () => {
    const { page, problems } = await openPage(browser);
    const held = Promise.withResolvers<void>();
    await page.route(`**/app/${notes}.tsx*`, async (route) => {
      await held.promise;
      await route.continue();
    });
    // Before that, Vite cannot tell the page about changes.
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    const requested = page.waitForRequest(`**/app/${notes}.tsx*`);
    await page.goto(`${site.url}/${notes}`, { waitUntil: 'commit' });
    await page.waitForSelector('#note');
    await Promise.all([connected, requested]);
    await site.save(`server/${notes}.ts`, "export const readNote = () => 'later';");
    await page.waitForSelector('#note:text("later")');
    held.resolve();
    await hydrated(page);
    expect(problems).toEqual([]);
  });

  it('loads the first page once', async () => {
    await using site = await developSite({ files: toNotes(notes) });
    const { page, requests } = await openPage(browser);
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto(`${site.url}/${notes}`);
    await Promise.all([connected, hydrated(page)]);
    // Vite has sent the first page all its messages before it reports a change.
    await site.save(`server/${notes}.ts`, "export const readNote = () => 'changed';");
    await textIs(page, '#note', 'changed');
    expect(requests.filter((one) => one === `/${notes}`)).toHaveLength(1);
  });

  it('loads a page once that was added while no browser was there', async () => {
    await using site = await developSite({ files: toNotes('notes') });
    await site.save('app/added.tsx', NOTES);
    await site.process.printed(/ added \/added/);
    const { page, requests } = await openPage(browser);
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto(`${site.url}/added`);
    await Promise.all([connected, hydrated(page)]);
    await site.save('server/notes.ts', "export const readNote = () => 'changed';");
    await textIs(page, '#note', 'changed');
    expect(requests.filter((one) => one === '/added')).toHaveLength(1);
  });

  it('tells a page about a page that was added before it was connected', async () => {
    const { page, requests } = await openPage(browser);
    const held = Promise.withResolvers<void>();
    await page.route('**/@vite/client*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/${notes}`, { waitUntil: 'commit' });
    await page.waitForSelector('#note');
    await site.save('app/late.tsx', 'export default () => <h1>Late</h1>;');
    await site.process.printed(/ added \/late/);
    held.resolve();
    await expect.poll(() => requests.filter((one) => one === `/${notes}`)).toHaveLength(2);
    await hydrated(page);
  });

  it('tells a page about a change of its data before it was connected', async () => {
    const reloads = (): number =>
      site.process.lines.filter((line) => line.includes(`server/${notes}.ts changed`)).length;
    const before = reloads();
    const { page, problems } = await openPage(browser);
    const held = Promise.withResolvers<void>();
    await page.route('**/@vite/client*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/${notes}`, { waitUntil: 'commit' });
    await page.waitForSelector('#note');
    await site.save(`server/${notes}.ts`, "export const readNote = () => 'missed';");
    await expect.poll(reloads).toBeGreaterThan(before);
    held.resolve();
    await page.waitForSelector('#note:text("missed")');
    await hydrated(page);
    expect(problems).toEqual([]);
  });

  it('shows what a component throws in the browser over the page, with its position in the source', async () => {
    await site.save(
      'app/trap.tsx',
      `import { useState } from 'react';

interface Spring {
  set: boolean;
}

export default function Trap() {
  const [{ set }, change] = useState<Spring>({ set: false });
  if (set) throw new RangeError('snapped');
  return <button id="trap" onClick={() => change({ set: true })}>Step</button>;
}
`,
    );
    await site.process.printed(/ added \/trap/);
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/trap`);
    await hydrated(page);
    await page.click('#trap');
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.locator('.message').textContent()).toContain('RangeError: snapped');
    expect(await overlay.locator('.file').first().textContent()).toContain('app/trap.tsx:9:18');
    expect(await overlay.locator('.stack').textContent()).toContain('at Trap (app/trap.tsx:9:18)');
    await site.edit('app/trap.tsx', "throw new RangeError('snapped')", 'return <h1>Sprung</h1>');
    await overlay.waitFor({ state: 'detached' });
  });

  it('follows a page that is added, renamed and removed', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/nowhere`);
    await page.waitForSelector('h1:text("Not found")');
    await hydrated(page);
    await site.save('app/nowhere.tsx', 'export default () => <h1>Somewhere</h1>;');
    await page.waitForSelector('h1:text("Somewhere")');
    await site.process.printed(/ added \/nowhere \(app\/nowhere\.tsx\) \(\d+ ms\)$/);
    await hydrated(page);
    await page.click('text=Nowhere');
    await rename(path.join(site.folder, 'app/nowhere.tsx'), path.join(site.folder, 'app/elsewhere.tsx'));
    await page.waitForSelector('h1:text("Not found")');
    await site.process.printed(/ added \/elsewhere/);
    const { page: other } = await openPage(browser);
    await other.goto(`${site.url}/elsewhere`);
    await other.waitForSelector('h1:text("Somewhere")');
    await hydrated(other);
    await site.save('app/elsewhere.tsx', null);
    await other.waitForSelector('h1:text("Not found")');
  });

  it('prints nothing but the reload when the layout of an open page is deleted', async () => {
    await using site = await developSite({
      files: {
        'app/deep/_layout.tsx': `import { Slot } from 'appkit-router';
          export default function Deep() { return <section><Slot /></section>; }`,
        'app/deep/index.tsx': 'export default () => <h1>Deep</h1>;',
      },
    });
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/deep`);
    await hydrated(page);
    await site.save('app/deep/_layout.tsx', null);
    await page.waitForSelector('section', { state: 'detached' });
    await page.waitForSelector('h1:text("Deep")');
    await hydrated(page);
    expect(site.process.errors()).toBe('');
  });

  it('shows a page that is added where an app without a not-found page has none', async () => {
    await using site = await developSite({ files: { 'app/+not-found.tsx': null } });
    const { page } = await openPage(browser);
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    expect((await page.goto(`${site.url}/nowhere`))?.status()).toBe(404);
    await connected;
    await site.save('app/nowhere.tsx', 'export default () => <h1>Somewhere</h1>;');
    await page.waitForSelector('h1:text("Somewhere")');
  });

  it('follows a page that gains and loses a loader', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/about`);
    await hydrated(page);
    const source = `import { useLoaderData } from 'appkit-router';
      LOADER
      export default function About() { return <h1>About {useLoaderData<any>() ?? 'nothing'}</h1>; }`;
    await site.save('app/about.tsx', source.replace('LOADER', "export const loader = () => 'data';"));
    await page.waitForSelector('h1:text("About data")');
    await hydrated(page);
    await page.click('text=Home');
    await page.waitForSelector('h1:text("Home")');
    await page.click('text=About');
    await page.waitForSelector('h1:text("About data")');
    await site.save('app/about.tsx', source.replace('LOADER', ''));
    await page.waitForSelector('h1:text("About nothing")');
  });
});

describe('the other outputs', () => {
  const server = ['app/private.tsx', 'app/broken.tsx', 'app/hello+api.ts', 'app/cart+api.ts'];
  const without = Object.fromEntries(server.map((name) => [name, null]));

  it('serves pages like the files of a static site: listed parameters, no query, but loaders run for each request', async () => {
    await using site = await developSite({
      config: { web: { output: 'static' } },
      files: {
        ...without,
        'app/now.tsx': `import { useLoaderData } from 'appkit-router';
          let count = 0;
          export const loader = () => ++count;
          export default function Now() { return <h1>Now {useLoaderData<typeof loader>()}</h1>; }`,
      },
    });
    expect(await (await fetch(`${site.url}/items/1?tag=a`)).text()).toContain('<output id="asked">/items/1</output>');
    expect((await fetch(`${site.url}/items/3`, asBrowser)).status).toBe(404);
    expect(await (await fetch(`${site.url}/items/3`, asBrowser)).text()).toContain('<h1>Not found</h1>');
    for (const [accept, vary, text] of [
      ['*/*', 'Accept, Accept-Encoding', expect.stringContaining('<h1>Not found</h1>')],
      ['text/html;q=0', 'Accept', 'Not found'],
    ]) {
      const unlisted = await fetch(`${site.url}/items/3`, { headers: { accept } });
      expect([unlisted.status, unlisted.headers.get('vary'), await unlisted.text()]).toEqual([404, vary, text]);
    }
    // No page has a malformed path, and for a host of files that is like any other without a file.
    for (const path of ['/%', '/items/%zz', '/%E9']) {
      const malformed = await fetch(site.url + path, asBrowser);
      expect([malformed.status, await malformed.text()]).toEqual([404, expect.stringContaining('<h1>Not found</h1>')]);
    }
    // The file of a page has no slash at its end.
    const slash = await fetch(`${site.url}/items/1/?tag=a`, { redirect: 'manual' });
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/items/1?tag=a']);
    expect(await (await fetch(`${site.url}/now`)).text()).toContain('Now <!-- -->1');
    expect(await (await fetch(`${site.url}/now`)).text()).toContain('Now <!-- -->2');
    const { page, problems } = await openPage(browser);
    await page.goto(`${site.url}/items/1?tag=a`);
    await hydrated(page);
    await textIs(page, '#params', '{"tag":"a","id":"1"}');
    await page.click('text=About');
    await page.waitForSelector('.about');
    expect(problems).toEqual([]);
  });

  it('has one document for every path of a single-page site', async () => {
    const item = `import { useLocalSearchParams } from 'appkit-router';
      export default function Item() { return <h1>Item {useLocalSearchParams()['id']}</h1>; }`;
    await using site = await developSite({
      config: { web: { output: 'single' } },
      files: { ...without, 'app/slow.tsx': null, 'app/items/[id].tsx': item },
    });
    const missing = await fetch(`${site.url}/missing.js`);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/plain']);
    expect(await (await fetch(site.url)).text()).toContain('<!DOCTYPE html>');
    const malformed = await fetch(`${site.url}/%`, asBrowser);
    expect([malformed.status, await malformed.text()]).toEqual([200, expect.stringContaining('<!DOCTYPE html>')]);
    for (const [pathname, heading] of [
      ['/', 'Home'],
      ['/items/7', 'Item 7'],
      ['/nowhere', 'Not found'],
    ] as const) {
      const { page, problems } = await openPage(browser);
      expect((await page.goto(site.url + pathname))?.status()).toBe(200);
      await page.waitForSelector(`h1:text("${heading}")`);
      expect(problems).toEqual([]);
    }
    await site.edit('app/about.tsx', 'export default', 'export const loader = () => 1;\nexport default');
    await expect
      .poll(async () => (await fetch(site.url, asBrowser)).text())
      .toContain('It has a loader, which runs on a server');
  });
});

it('shows the text of a file that its loader imports as text, when the file is saved', async () => {
  const post = `import { useLoaderData } from 'appkit-router';
    import text from '../content/first.md?raw';
    export const loader = () => text;
    export default () => <h1>{useLoaderData<string>()}</h1>;`;
  await using site = await developSite({
    files: { 'content/first.md': '---\ntitle: first\n---\n', 'app/post.tsx': post },
  });
  const { page, problems } = await openPage(browser);
  await page.goto(`${site.url}/post`);
  await hydrated(page);
  await site.save('content/first.md', '---\ntitle: second\n---\n');
  await textIs(page, 'h1', '---\ntitle: second\n---\n');
  expect([problems, site.process.errors()]).toEqual([[], '']);

  // Without what makes it a text, and with it again.
  await site.save('app/post.tsx', post.replace('?raw', ''));
  await expect.poll(() => site.process.errors()).toContain('first.md');
  await site.save('app/post.tsx', post);
  await expect.poll(async () => (await fetch(`${site.url}/post`)).status).toBe(200);
  const { page: opened } = await openPage(browser);
  await opened.goto(`${site.url}/post`);
  await hydrated(opened);
  await site.save('content/first.md', '---\ntitle: third\n---\n');
  await textIs(opened, 'h1', '---\ntitle: third\n---\n');
});

it('shows the first page added to an app without pages', async () => {
  const names = await readdir(path.join(import.meta.dirname, 'fixtures/site/app'), { recursive: true });
  const pages = names.filter((name) => name.endsWith('.tsx')).map((name) => [`app/${name}`, null]);
  await using site = await developSite({ files: Object.fromEntries(pages) });
  const { page, problems } = await openPage(browser);
  expect(await (await fetch(`${site.url}/hello`)).json()).toEqual({ hello: 'world' });
  expect((await fetch(site.url)).status).toBe(404);
  await site.save('app/index.tsx', 'export default function Home() { return <h1>Home</h1>; }');
  await expect.poll(async () => (await fetch(site.url)).status).toBe(200);
  // Vite reloads the page when it has bundled the packages that this app now needs.
  await page.goto(site.url, { waitUntil: 'networkidle' });
  await hydrated(page);
  await site.edit('app/index.tsx', '<h1>Home</h1>', '<h1>House</h1>');
  await textIs(page, 'h1', 'House');
  expect(problems).toEqual([]);
});

it('says what is wrong with a page when it is requested, not at the start', async () => {
  const files = {
    'app/broken.tsx': 'export default () => <p>;',
    'app/uninstalled.tsx': "import name from 'not-installed'; export default () => <p>{name}</p>;",
  };
  await using site = await developSite({ files });
  const { page, problems } = await openPage(browser);
  await page.goto(site.url);
  // A page that has run had to wait for the scan of all pages.
  await hydrated(page);
  expect([site.process.errors(), problems]).toEqual(['', []]);
  expect((await fetch(`${site.url}/broken`)).status).toBe(500);
  await expect.poll(site.process.errors).toContain('app/broken.tsx:1:');
});

it('reloads the entire page without the React plugin, and says so', async () => {
  await using site = await developSite({ packages: ['appkit-router', 'appkit-server', 'react', 'react-dom', 'vite'] });
  await expect.poll(site.process.errors).toContain('@vitejs/plugin-react is not installed');
  const { page, problems } = await openPage(browser);
  await page.goto(site.url);
  await hydrated(page);
  await page.click('#layout');
  await site.edit('app/index.tsx', '<h1>Home</h1>', '<h1>House</h1>');
  await page.waitForSelector('h1:text("House")');
  await hydrated(page);
  expect(await page.textContent('#layout')).toBe('Layout 0');
  expect(problems).toEqual([]);
});
