/**
 * `node tools/starter-screenshots.ts`, after `npm run build`: exports and serves the app that `npm run new` creates,
 * and takes the pictures of its pages for the README. Fails if a page does not show what its picture is meant to show.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { serverEnvironment } from '../conformance/command.ts';
import { startServer } from '../conformance/server-process.ts';
import { runCommand } from './run-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const PICTURES = path.join(REPOSITORY, 'docs/starter');
// Inside the repository, where the packages are found.
const PROJECT = path.join(REPOSITORY, '.cache/starter');
const APPKIT = ['node', path.join(REPOSITORY, 'cli/appkit/bin/appkit.js')] as const;

/** The content of each picture: how to get there, and the heading that is then shown. */
const VISITS: Record<string, { pathname: string; act?: (page: Page) => Promise<void>; heading: string }> = {
  loader: { pathname: '/greetings/ada', heading: 'Good evening, Ada' },
  form: { pathname: '/guestbook', act: (page) => sign(page, 'Hedy', 'li:text("Hedy")'), heading: 'Guestbook' },
  error: {
    pathname: '/guestbook',
    act: (page) => sign(page, 'x'.repeat(41), 'button:text("Try again")'),
    heading: 'This name is too long for the book.',
  },
  'sign-in': { pathname: '/', act: (page) => page.getByRole('link', { name: 'Members' }).click(), heading: 'Sign in' },
  members: { pathname: '/sign-in', act: signIn, heading: 'Welcome, Hedy' },
  'not-found': { pathname: '/nowhere', heading: 'There is no such page' },
};

await rm(PROJECT, { recursive: true, force: true });
await cp(path.join(REPOSITORY, 'examples/full'), PROJECT, { recursive: true });
await runCommand([...APPKIT, 'export', '-p', 'web'], { cwd: PROJECT });
await mkdir(PICTURES, { recursive: true });
const server = await startServer({
  command: [...APPKIT, 'serve', '--host', '127.0.0.1', '--port', '0'],
  folder: PROJECT,
  env: { ...serverEnvironment, SESSION_SECRET: randomUUID() },
  ready: /^Serving .* at (http:\S+)\n/m,
});
const browser = await startBrowser();
try {
  for (const [name, { pathname, act, heading }] of Object.entries(VISITS)) {
    const page = await browser.newPage({ viewport: { width: 640, height: 320 } });
    await page.goto(server.origin + pathname);
    await act?.(page);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
}

/** Signs the guestbook, as a visitor does. */
async function sign(page: Page, name: string, shown: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.waitForSelector(shown);
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Hedy');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
