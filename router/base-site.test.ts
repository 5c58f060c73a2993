import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../cli/appkit/fixtures/cli-process.ts';
import { hydrated, openPage } from './fixtures/browser-page.ts';
import { describeInEachMode } from './fixtures/each-mode.ts';
import { copySite, serveSite } from './fixtures/serve-site.ts';

const BASE = '/shop';

const files = {
  'public/logo.txt': 'a file',
  'public/.well-known/app.json': '{}',
  'public/picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'app/drawn.svg': `<svg xmlns="http://www.w3.org/2000/svg"><title>${'x'.repeat(5000)}</title></svg>`,
  'app/asked+api.ts': `import drawn from './drawn.svg';
    export const GET = (request: Request) => Response.json({ url: new URL(request.url).pathname, drawn });`,
  'app/tasks.tsx': `import { Form, fetch, fetchRoute, router, useActionData, useLoaderData } from 'appkit-router';
    import { useState } from 'react';
    import drawn from './drawn.svg';
    import picture from '/picture.svg';
    export async function loader(request: Request) {
      return { seen: new URL(request.url).pathname, fetched: await (await fetch('/hello')).json() };
    }
    export async function action(request: Request) {
      const text = String((await request.formData()).get('text'));
      if (text === 'away') return new Response(null, { status: 303, headers: { location: '${BASE}/about' } });
      return { text };
    }
    export default function Tasks() {
      const [answer, setAnswer] = useState('');
      const call = async () => setAnswer((await (await fetchRoute('/asked')).json() as { url: string }).url);
      return <>
        <h1>Tasks</h1>
        <output id="seen">{JSON.stringify(useLoaderData<typeof loader>())}</output>
        <output id="said">{JSON.stringify(useActionData<typeof action>() ?? null)}</output>
        <output id="answer">{answer}</output>
        <img id="picture" src={picture} alt="" /><img id="drawn" src={drawn} alt="" />
        <output id="base">{import.meta.env.BASE_URL}</output>
        <button id="call" onClick={() => void call()}>Call</button>
        <button id="go" onClick={() => router.push('/items/3')}>Go</button>
        <Form><input name="text" /><button id="own">Own</button></Form>
        <Form action="/tasks"><input type="hidden" name="text" value="named" /><button id="named">Named</button></Form>
      </>;
    }`,
  'app/types.d.ts': "declare module '*.svg' { const url: string; export default url; }",
};

const config = {
  web: { output: 'server', base: BASE },
  plugins: [
    [
      'appkit-router',
      {
        redirects: [{ source: '/items/old', destination: '/items/1' }],
        rewrites: [{ source: '/items/first', destination: '/items/1' }],
      },
    ],
  ],
};

const opened = describeInEachMode({ config, files }, (tested) => {
  const toOrigin = (): string => new URL(tested.site.url).origin;

  const answerOf = async (target: string, init: RequestInit = {}): Promise<[status: number, text: string]> => {
    const headers = { accept: 'text/html' };
    const response = await fetch(toOrigin() + target, { redirect: 'manual', headers, ...init });
    return [response.status, response.headers.get('location') ?? (await response.text())];
  };

  it('prints the address of the site', () => {
    expect(tested.site.url).toBe(`${toOrigin()}${BASE}/`);
  });

  it('answers below the path and nowhere else', async () => {
    expect(await answerOf(`${BASE}/hello`)).toEqual([200, '{"hello":"world"}']);
    for (const home of [BASE, `${BASE}/`]) {
      expect([home, (await answerOf(home))[1].includes('<h1>Home</h1>')]).toEqual([home, true]);
    }
    const outside = ['/', '/hello', '/about', '/shopping', '/shop2/about', '/logo.txt', '/robots.txt'];
    for (const target of outside) expect([target, ...(await answerOf(target))]).toEqual([target, 404, 'Not found']);
    const lost = await answerOf(`${BASE}/nowhere`);
    expect([lost[0], lost[1].includes(`<a href="${BASE}/items/1">`)]).toEqual([404, true]);
  });

  it('has the files of public below the path, and .well-known at the root of the host', async () => {
    expect(await answerOf(`${BASE}/logo.txt`)).toEqual([200, 'a file']);
    expect(await answerOf('/.well-known/app.json')).toEqual([200, '{}']);
    expect((await answerOf(`${BASE}/.well-known/app.json`))[0]).toBe(404);
  });

  it('reads the sources and destinations of rules as paths below the base', async () => {
    expect(await answerOf(`${BASE}/items/old?a=1`)).toEqual([307, `${BASE}/items/1?a=1`]);
    expect((await answerOf(`${BASE}/items/first`))[1]).toContain('<h1>Item 1</h1>');
    expect((await answerOf('/items/old'))[0]).toBe(404);
  });

  it('gives routes the requested URL, and assets a URL below the path', async () => {
    const [, text] = await answerOf(`${BASE}/asked`);
    const { url, drawn } = JSON.parse(text) as { url: string; drawn: string };
    expect(url).toBe(`${BASE}/asked`);
    if (tested.mode === 'production') expect(drawn).toMatch(/^\/shop\/_appkit\/assets\/drawn-\w+\.svg$/);
    expect((await answerOf(drawn))[0]).toBe(200);
  });

  it('goes from page to page, and back', async () => {
    const { page, problems, requests } = await openPage(tested.browser);
    await page.goto(tested.site.url);
    await hydrated(page);
    expect(await page.textContent('#path')).toBe('/');
    await page.click('#layout');
    requests.length = 0;
    await page.click('text=Three');
    await page.waitForSelector('h1:text("Item 3")');
    expect(page.url()).toBe(`${toOrigin()}${BASE}/items/3?tag=a&tag=b`);
    expect(await page.textContent('#path')).toBe('/items/3');
    await page.click('text=Nowhere');
    await page.waitForSelector('h1:text("Not found")');
    await page.goBack();
    await page.waitForSelector('h1:text("Item 3")');
    await page.click('text=Old');
    await page.waitForSelector('h1:text("Item 1")');
    expect(page.url()).toBe(`${toOrigin()}${BASE}/items/1`);
    expect(requests).toContain(`${BASE}/items/3?tag=a&tag=b&_appkit_data=`);
    const outside = requests.filter((one) => !one.startsWith(`${BASE}/`) && !one.startsWith('/_appkit/dev/'));
    expect(outside).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('keeps the page for a link, and its state', async () => {
    const { page, problems } = await openPage(tested.browser);
    await page.goto(tested.site.url);
    await hydrated(page);
    await page.click('#layout');
    await page.click('#push');
    await page.waitForSelector('h1:text("About")');
    expect([page.url(), await page.textContent('#layout')]).toEqual([`${toOrigin()}${BASE}/about`, 'Layout 1']);
    await page.goBack();
    await page.waitForSelector('h1:text("Home")');
    expect([page.url(), await page.textContent('#layout')]).toEqual([tested.site.url, 'Layout 1']);
    expect(problems).toEqual([]);
  });

  it('sends forms, calls routes and shows files', async () => {
    const { page, problems, requests } = await openPage(tested.browser);
    await page.goto(`${toOrigin()}${BASE}/tasks`);
    await hydrated(page);
    expect(await page.textContent('#seen')).toBe(`{"seen":"${BASE}/tasks","fetched":{"hello":"world"}}`);
    expect(await page.textContent('#base')).toBe(`${BASE}/`);
    expect(await page.getAttribute('#picture', 'src')).toBe(`${BASE}/picture.svg`);
    const drawn = (await page.getAttribute('#drawn', 'src')) ?? '';
    expect((await answerOf(drawn))[0]).toBe(200);
    await page.click('#call');
    await page.waitForSelector(`#answer:text("${BASE}/asked")`);
    await page.fill('input[name="text"]', 'own');
    await page.click('#own');
    await page.waitForSelector('#said:text("own")');
    await page.click('#named');
    await page.waitForSelector('#said:text("named")');
    expect(requests.filter((one) => one === `${BASE}/tasks`)).toHaveLength(1);
    await page.click('#go');
    await page.waitForSelector('h1:text("Item 3")');
    await page.goBack();
    await page.waitForSelector('h1:text("Tasks")');
    await page.fill('input[name="text"]', 'away');
    await page.click('#own');
    await page.waitForSelector('h1:text("About")');
    expect(page.url()).toBe(`${toOrigin()}${BASE}/about`);
    expect(problems).toEqual([]);
  });

  it('sends forms without JavaScript', async () => {
    const context = await tested.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${toOrigin()}${BASE}/tasks`);
    await page.click('#named');
    await page.waitForSelector('#said:text("named")');
    await page.click('text=About');
    await page.waitForSelector('h1:text("About")');
    expect(page.url()).toBe(`${toOrigin()}${BASE}/about`);
    await context.close();
  });
});

const withoutServer = {
  'app/private.tsx': null,
  'app/broken.tsx': null,
  'app/cart+api.ts': null,
  'app/hello+api.ts': null,
};

it('writes files where static hosts find them by their URLs', async () => {
  const own = { 'public/_headers': '/x\n  a: b\n', 'public/logo.txt': 'a file' };
  await using site = await serveSite({
    config: { web: { output: 'static', base: '/a/b', trailingSlash: 'always' } },
    files: { ...withoutServer, ...own },
  });
  const { origin } = new URL(site.url);
  const client = path.join(site.folder, 'dist/client');
  const names = [
    'a/b/index.html',
    'a/b/items/1/index.html',
    'a/b/404.html',
    '404.html',
    'a/b/_appkit/data/items/1.json',
    'a/b/logo.txt',
  ];
  expect(names.filter((name) => !existsSync(path.join(client, name)))).toEqual([]);
  expect(await readFile(path.join(client, '_headers'), 'utf8')).toContain('\n/a/b/_appkit/assets/*\n');
  const { page, problems, requests } = await openPage(opened.browser);
  await page.goto(`${origin}/a/b/`);
  await hydrated(page);
  await page.click('text=One');
  await page.waitForSelector('h1:text("Item 1")');
  expect(page.url()).toBe(`${origin}/a/b/items/1/`);
  expect(requests).toContain('/a/b/_appkit/data/items/1.json');
  expect(problems).toEqual([]);
  const lost = await fetch(`${origin}/a/b/nowhere`, { headers: { accept: 'text/html' } });
  expect([lost.status, (await lost.text()).includes('<h1>Not found</h1>')]).toEqual([404, true]);
  const asset = requests.find((one) => one.includes('/_appkit/assets/client-')) ?? '';
  expect(asset).toMatch(/^\/a\/b\/_appkit\/assets\//);
  expect((await fetch(origin + asset)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

it('has one document for every path below it', async () => {
  await using site = await serveSite({
    config: { web: { output: 'single', base: BASE } },
    files: { ...withoutServer, 'app/slow.tsx': null, 'app/items/[id].tsx': null },
  });
  const { origin } = new URL(site.url);
  const { page, problems } = await openPage(opened.browser);
  await page.goto(`${origin}${BASE}/about`);
  await page.waitForSelector('h1:text("About")');
  await page.click('text="Home"');
  await page.waitForSelector('h1:text("Home")');
  expect(page.url()).toBe(`${origin}${BASE}/`);
  await page.click('text="Nowhere"');
  await page.waitForSelector('h1:text("Not found")');
  // As a host answers that is configured to send the document for every path.
  const document = await (await fetch(site.url, { headers: { accept: 'text/html' } })).text();
  let asked = 0;
  await page.route(`${origin}/other`, async (route) => {
    asked++;
    await route.fulfill({ contentType: 'text/html', body: document });
  });
  await page.goto(`${origin}/other`, { waitUntil: 'commit' });
  await page.waitForSelector('h1:text("Not found")');
  expect(asked).toBe(1);
  expect(problems).toEqual([]);
  expect((await fetch(`${origin}/about`, { headers: { accept: 'text/html' } })).status).toBe(404);
});

it('refuses a base that is not a path', async () => {
  const folder = await copySite({ config: { web: { base: 'shop/' } } });
  try {
    const { code, stderr } = await runCli(['export'], { cwd: folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('The key web.base is "shop/".')]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
