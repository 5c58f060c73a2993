import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { startSites } from '../fixtures/sites.ts';
import type { Sites } from '../fixtures/sites.ts';
import { startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { reactReleases } from './fixtures/react.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(() => browser.close());

describe.each(reactReleases)('in StrictMode of React $major', ({ alias }) => {
  let sites: Sites;
  let provider: LocalProvider;

  beforeAll(async () => {
    sites = await startSites({ script: path.join(import.meta.dirname, 'fixtures/strict-page.tsx'), alias });
    provider = await startProvider({}, sites.app);
  });

  afterAll(async () => {
    await sites[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it.each(['popup', 'redirect'])('a user signs in by %s, with one exchange of the code', async (mode) => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    let exchanged = 0;
    context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/token')) exchanged += 1;
    });
    const page = await context.newPage();
    await page.goto(`${sites.app}/?${new URLSearchParams({ issuer: provider.issuer })}`);
    const button = page.getByRole('button', { name: mode });
    const opened: Promise<Page> = mode === 'popup' ? context.waitForEvent('page') : Promise.resolve(page);
    await button.click();
    const at = await opened;
    await at.fill('[name=login]', 'ada');
    await at.fill('[name=password]', 'any');
    await at.click('button[type=submit]');
    await at.waitForSelector('[name=prompt][value=consent]', { state: 'attached' });
    await at.click('button[type=submit]', { noWaitAfter: true });
    expect(await page.locator('output:not(:empty)').textContent()).toBe('success, bearer');
    expect(exchanged).toBe(1);
  });
});
