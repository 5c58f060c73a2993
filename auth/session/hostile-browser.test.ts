import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { startApp } from './fixtures/app.ts';
import type { LocalApp } from './fixtures/app.ts';
import { answerCases } from './fixtures/hostile/answers.ts';
import type { HostileCase } from './fixtures/hostile/case.ts';
import { wrongUrls } from './fixtures/hostile/endpoints.ts';
import { signatureCases } from './fixtures/hostile/id-tokens.ts';
import type { HostilePage } from './fixtures/hostile/page.ts';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider } from './fixtures/hostile/provider.ts';

declare const window: Window & HostilePage;

let browser: Browser;
let app: LocalApp;
let provider: HostileProvider;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, app, provider] = await Promise.all([startBrowser(), startApp('hostile/page.ts'), startHostileProvider()]);
  context = await browser.newContext();
  context.setDefaultTimeout(120_000);
  page = await context.newPage();
});

afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

beforeEach(async () => {
  for (const other of context.pages()) if (other !== page) await other.close();
  if (new URL(page.url()).origin !== app.origin) await page.goto(app.origin);
});

const modes = ['popup', 'redirect'] as const;

async function signIn(
  { setting }: Pick<HostileCase, 'setting'>,
  mode: (typeof modes)[number] = 'popup',
): Promise<unknown> {
  return page.evaluate(([issuer, setting, mode]) => window.signIn(issuer, setting, mode), [
    provider.issuer,
    setting,
    mode,
  ] as const);
}

it.each(['code', 'token', 'id_token', 'id_token token', 'code id_token'] as const)(
  'takes what the provider answers for %s as long as that is honest',
  async (flow) => {
    provider.begin({});
    expect(await signIn({ setting: { flow } })).toMatchObject({ step: 'done', code: '' });
  },
);

const rows = [...answerCases, ...signatureCases].map((row): [string, string, HostileCase] => [
  row.lie,
  row.section,
  row,
]);

it.each(rows.filter(([, , { code }]) => code !== 'state_mismatch'))('refuses %s (%s)', async (_lie, _section, row) => {
  provider.begin(row.lies);
  expect(await signIn(row)).toMatchObject({ step: 'answer', code: row.code, leaks: false });
});

it.each(rows.filter(([, , { code }]) => code === 'state_mismatch'))(
  'ends no session by %s (%s)',
  async (_lie, _section, row) => {
    provider.begin(row.lies);
    const [popup, outcome] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(
        ([issuer, setting]) => {
          const ended = window.signIn(issuer, setting, 'popup');
          Object.assign(window, { ended });
        },
        [provider.issuer, row.setting] as const,
      ),
    ]);
    expect(outcome).toBe(undefined);
    await popup.waitForFunction(() => window.completed !== undefined);
    expect(await popup.evaluate(() => window.completed)).toMatchObject({ type: 'failed' });
    await page.evaluate(() => window.dismiss());
    const ended = await page.evaluate(() => (window as unknown as { ended: Promise<unknown> }).ended);
    expect(ended).toMatchObject({ step: 'answer', code: 'dismiss' });
  },
);

it.each(rows)('refuses %s on the page that is returned to (%s)', async (_lie, _section, { code, lies, setting }) => {
  provider.begin(lies);
  const returned = page.waitForURL(`${app.origin}/callback*`);
  await page.evaluate(([issuer, setting]) => void window.signIn(issuer, setting, 'redirect'), [
    provider.issuer,
    setting,
  ] as const);
  await returned;
  const resumed = await page.evaluate((issuer) => window.resume(issuer), provider.issuer);
  expect(resumed).toEqual(code === 'state_mismatch' ? null : { type: 'error', code });
  // What has not come back may still come.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(app.origin);
});

const urls = wrongUrls.flatMap(([what, section, url]) =>
  modes.map((mode) => [what, mode, section, url] as [string, (typeof modes)[number], string, unknown]),
);

it.each(urls)('opens no authorization endpoint that is %s, with mode %s (%s)', async (_what, mode, _section, url) => {
  provider.begin({ metadata: (honest) => ({ ...honest, authorization_endpoint: url }) });
  expect(await signIn({ setting: { flow: 'code' } }, mode)).toMatchObject({ step: 'url', code: 'ERR_AUTH_ENDPOINT' });
  expect(context.pages()).toEqual([page]);
  expect(page.url()).toBe(`${app.origin}/`);
});

it.each(urls)('signs out at no endpoint that is %s, with mode %s (%s)', async (_what, mode, _section, url) => {
  const code = await page.evaluate(([url, mode]) => window.signOut(url as string, mode), [url, mode] as const);
  expect(code).toBe('ERR_AUTH_ENDPOINT');
  expect(context.pages()).toEqual([page]);
  expect(page.url()).toBe(`${app.origin}/`);
});
