import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { runCli, startServe } from '../cli/appkit/fixtures/cli-process.ts';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';

const FILES = {
  'app/private.tsx': null,
  'app/broken.tsx': null,
  'app/cart+api.ts': null,
  'app/hello+api.ts': null,
};

it('lets a client of the last export navigate without loading a document', async () => {
  await using browser = await startSiteBrowser();
  await using site = await serveSite({ config: { web: { output: 'static' } }, files: FILES });
  const { page, problems, requests } = await openPage(browser);
  await page.goto(site.url);
  await hydrated(page);
  await page.click('#layout');
  const about = path.join(site.folder, 'app/about.tsx');
  const before = await readFile(about, 'utf8');
  await writeFile(about, before.replace('<h1>About', '<h1>About the new release'));
  expect(await runCli(['export'], { cwd: site.folder })).toMatchObject({ code: 0 });
  await page.click('text=About');
  await page.waitForSelector('h1:text-is("About")');
  expect(await page.textContent('#layout')).toBe('Layout 1');
  expect([requests.filter((request) => request.startsWith('/about')), problems]).toEqual([[], []]);
  await page.reload();
  await page.waitForSelector('h1:text("About the new release")');
});

it('loads the document for a part whose code is gone, once a visitor tries again', async () => {
  const lazy = `
    import { lazy, Suspense, useState } from 'react';
    const Part = lazy(() => import('../part.tsx'));
    export default function Lazy() {
      const [isOpen, setOpen] = useState(false);
      return <><button id="open" onClick={() => setOpen(true)}>Open</button>{isOpen && <Suspense><Part /></Suspense>}</>;
    }
    export function ErrorBoundary({ retry }: { retry: () => void }) { return <button id="retry" onClick={retry}>Again</button>; }`;
  const part = "export default function Part() { return <p id='part'>first release</p>; }";
  await using browser = await startSiteBrowser();
  await using site = await serveSite({
    config: { web: { output: 'static', keepAssets: 0 } },
    files: { ...FILES, 'app/lazy.tsx': lazy, 'part.tsx': part },
  });
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/lazy`);
  await hydrated(page);
  await writeFile(path.join(site.folder, 'part.tsx'), part.replace('first', 'next'));
  expect(await runCli(['export'], { cwd: site.folder })).toMatchObject({ code: 0 });
  await page.click('#open');
  // Without a network, there is no document either.
  await page.context().setOffline(true);
  await page.click('#retry');
  await page.click('#open');
  await page.waitForSelector('#retry');
  await page.context().setOffline(false);
  await page.click('#retry');
  await page.waitForSelector('#open');
  await hydrated(page);
  await page.click('#open');
  await page.waitForSelector('#part:text("next release")');
});

it('shows what the next release says of a form, and loads its document with the next page', async () => {
  const note = `
    import { Form, Link, useActionData, useLoaderData } from 'appkit-router';
    import { StatusError } from 'appkit-server';
    export const loader = () => ['first'];
    export async function action(request: Request) {
      const text = String((await request.formData()).get('text'));
      if (text === 'twice') throw new StatusError(409, 'It is there already');
      return text.length > 1 ? undefined : { problem: 'Too short' };
    }
    export default function Note() {
      return <Form><input name="text" /><button id="send">Send</button><Link id="plain" href="/plain">Plain</Link><p id="problem">{useActionData<typeof action>()?.problem}</p><p id="notes">{useLoaderData<typeof loader>().map((text) => text.toUpperCase())}</p></Form>;
    }
    export function ErrorBoundary({ error }: { error: unknown }) { return <h1 id="boundary">{(error as Error).message}</h1>; }`;
  await using browser = await startSiteBrowser();
  await using site = await serveSite({
    config: { web: { output: 'server' } },
    files: {
      'app/(noted)/_layout.tsx': `
        import { Slot } from 'appkit-router';
        export const loader = () => 'what a form may change';
        export default function Layout() { return <Slot />; }`,
      'app/(noted)/note.tsx': note,
      'app/(noted)/plain.tsx': 'export default function Plain() { return <h1>Plain</h1>; }',
    },
  });
  const open = async (): Promise<Page> => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/note`);
    await hydrated(page);
    await page.click('#layout');
    return page;
  };
  const [short, twice, right] = [await open(), await open(), await open()];
  await site.process[Symbol.asyncDispose]();
  // Its data have another form.
  const next = note.replace("['first']", "({ notes: ['first'] })").replace('.map(', '.notes.map(');
  await writeFile(path.join(site.folder, 'app/(noted)/note.tsx'), next);
  expect(await runCli(['export'], { cwd: site.folder })).toMatchObject({ code: 0 });
  await using _next = await startServe(['--port', new URL(site.url).port], { cwd: site.folder });
  await short.fill('input', 'x');
  await short.click('#send');
  await short.waitForSelector('#problem:text("Too short")');
  expect([await short.inputValue('input'), await short.textContent('#layout')]).toEqual(['x', 'Layout 1']);
  expect(await short.textContent('#notes')).toBe('FIRST');
  // It has no data of its own, but those of its layout may be old.
  await short.click('#plain');
  await short.waitForSelector('#layout:text("Layout 0")');
  await twice.fill('input', 'twice');
  await twice.click('#send');
  await twice.waitForSelector('#boundary:text("It is there already")');
  // There is nothing to show but the page.
  await right.fill('input', 'a note');
  await right.click('#send');
  await right.waitForSelector('#layout:text("Layout 0")');
});
