import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { startSites } from '../fixtures/sites.ts';
import type { Sites } from '../fixtures/sites.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import type { HookPage, Rendering, Shown } from './fixtures/hook-page.tsx';
import { reactReleases } from './fixtures/react.ts';

declare const window: { page: HookPage };

const script = path.join(import.meta.dirname, 'fixtures/hook-page.tsx');

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(() => browser.close());

describe.each(reactReleases)('with React $major, in Chromium', ({ major, alias }) => {
  let sites: Sites;
  let issuer: AnsweringServer;
  let context: BrowserContext;
  let app: Page;

  beforeAll(async () => {
    [sites, issuer] = await Promise.all([startSites({ script, alias }), startAnsweringServer()]);
    context = await browser.newContext();
    context.setDefaultTimeout(120_000);
    app = await context.newPage();
  });

  afterAll(() => Promise.all([sites[Symbol.asyncDispose](), issuer[Symbol.asyncDispose]()]));

  // As a context and a window of its own, which take a second.
  beforeEach(async () => {
    await app.goto(sites.app);
    await app.evaluate(() => localStorage.clear());
  });

  afterEach(async () => {
    app.removeAllListeners();
    for (const popup of context.pages().filter((page) => page !== app)) await popup.close();
  });

  /** Renders the app with the provider's endpoint. */
  async function show(shown: Partial<Shown> = {}): Promise<void> {
    const whole = { clientId: 'first', endpoint: `${sites.provider}/authorize`, ...shown };
    await app.evaluate((shown) => window.page.show(shown), whole);
  }

  const ready = (): Promise<void> => app.getByText('Sign in').waitFor();
  const renderings = (): Promise<Rendering[]> => app.evaluate(() => window.page.renderings);
  const latest = async (): Promise<Rendering | undefined> => (await renderings()).at(-1);
  const prompted = (): Promise<unknown> => app.evaluate(() => window.page.prompted);

  /** Waits until the request of a client is being loaded by the class `Gated`. */
  const isLoading = (clientId: string): Promise<unknown> =>
    app.waitForFunction((clientId) => clientId in window.page.gates, clientId);

  /** Lets it be loaded. */
  async function load(clientId: string): Promise<void> {
    await isLoading(clientId);
    await app.evaluate((clientId) => window.page.gates[clientId]?.(), clientId);
  }

  /** Clicks, and gives the popup that opens. */
  async function click(): Promise<Page> {
    const [popup] = await Promise.all([context.waitForEvent('page'), app.click('button')]);
    await popup.waitForLoadState();
    return popup;
  }

  /** Lets whatever renders do so: two frames, and all that was due before them. */
  const settle = (): Promise<void> =>
    app.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    );

  it('runs that release', async () => {
    expect(await app.evaluate(() => window.page.version)).toMatch(new RegExp(`^${major}\\.`));
  });

  it('has no request until it is ready, and then one with its URL', async () => {
    await show();
    await ready();
    const [first] = await renderings();
    expect(first).toMatchObject({ ready: null, url: null, result: null });
    expect(await latest()).toMatchObject({
      ready: 'first',
      url: expect.stringContaining('code_challenge='),
      result: null,
    });
  });

  it('has no request without a discovery document', async () => {
    await show({ endpoint: null });
    await settle();
    expect(await latest()).toMatchObject({ ready: null });
    await show();
    await ready();
    await show({ endpoint: null });
    await settle();
    expect(await latest()).toMatchObject({ ready: null });
  });

  it('prompts in a popup and gives the result', async () => {
    await show();
    await ready();
    const popup = await click();
    const { state } = (await latest()) ?? {};
    await popup.click('a');
    await app.getByText('"success"').waitFor();
    expect(await prompted()).toMatchObject({ type: 'success', params: { code: `for ${state}`, state }, error: null });
  });

  it('prompts again with a new request, whose popup opens in the click', async () => {
    await show();
    await ready();
    const states = new Set<unknown>();
    for (const count of [1, 2, 3]) {
      const popup = await click();
      const { opened, openedAtOnce } = await app.evaluate(() => window.page.popups);
      expect([opened, openedAtOnce]).toEqual([count, count]);
      states.add(new URL(popup.url()).searchParams.get('state'));
      await popup.click('a');
      expect(await prompted()).toMatchObject({ type: 'success', error: null });
      await settle();
    }
    expect(states.size).toBe(3);
  });

  it('prompts once in strict mode', async () => {
    await show({ strict: true });
    await ready();
    const popup = await click();
    await settle();
    expect(context.pages()).toHaveLength(2);
    await popup.click('a');
    await app.getByText('"success"').waitFor();
    const states = (await renderings()).flatMap(({ state }) => (state === null ? [] : [state]));
    expect(new Set(states).size).toBe(1);
  });

  it('rejects a prompt before the request is ready', async () => {
    await show({ endpoint: null });
    await app.click('button');
    const error = await app.evaluate(() =>
      window.page.prompted?.catch((error: Error & { code?: string }) => [error.name, error.code]),
    );
    expect(error).toEqual(['TypeError', 'ERR_AUTH_NOT_READY']);
    expect(context.pages()).toHaveLength(1);
  });

  it('renders no more than it has to, although each rendering makes new objects', async () => {
    await show();
    await ready();
    await settle();
    const { length } = await renderings();
    await settle();
    expect(await renderings()).toHaveLength(length);
    const before = await latest();
    await show();
    await settle();
    expect(await renderings()).toHaveLength(length + 1);
    expect(await latest()).toEqual(before);
  });

  it('never shows the request of another configuration', async () => {
    await show();
    await ready();
    await show({ clientId: 'second' });
    await ready();
    await show({ clientId: 'second', scopes: ['email'] });
    await ready();
    expect(await latest()).toMatchObject({ ready: 'second', url: expect.stringContaining('scope=email') });
    const stale = (await renderings()).filter(({ clientId, ready }) => ready !== null && ready !== clientId);
    expect(stale).toEqual([]);
  });

  it('never shows the request of another class', async () => {
    await show({ className: 'AuthRequest' });
    await ready();
    await show({ className: 'Gated' });
    await settle();
    expect(await latest()).toMatchObject({ ready: null });
    await load('first');
    await ready();
    expect(await latest()).toMatchObject({ className: 'Gated' });
  });

  it('drops a request that is loaded late', async () => {
    await show({ className: 'Gated' });
    await isLoading('first');
    await show({ className: 'Gated', clientId: 'second' });
    await load('second');
    await ready();
    await load('first');
    await settle();
    expect(await latest()).toMatchObject({ clientId: 'second', ready: 'second' });
  });

  it('shows no result of another configuration', async () => {
    await show();
    await ready();
    const popup = await click();
    await popup.click('a');
    await app.getByText('"success"').waitFor();
    await show({ clientId: 'second' });
    await ready();
    const results = (await renderings()).filter(({ clientId }) => clientId === 'second').map(({ result }) => result);
    expect(new Set(results)).toEqual(new Set([null]));
  });

  it('keeps the result when one of another configuration comes late', async () => {
    await show();
    await ready();
    const popup = await click();
    await app.evaluate(() => Object.assign(window, { first: window.page.prompted }));
    await show({ clientId: 'second' });
    await ready();
    await app.click('button');
    await app.getByText('"locked"').waitFor();
    await popup.click('a');
    expect(await app.evaluate(() => (window as unknown as { first: unknown }).first)).toMatchObject({
      type: 'success',
    });
    await settle();
    expect(await latest()).toMatchObject({ clientId: 'second', result: 'locked' });
  });

  it('shows no result that came after it was hidden', async () => {
    const complaints: string[] = [];
    app.on('console', (message) => complaints.push(message.text()));
    app.on('pageerror', (error) => complaints.push(error.message));
    await show();
    await ready();
    const popup = await click();
    await app.evaluate(() => window.page.hide());
    await app.locator('button').waitFor({ state: 'detached' });
    const { length } = await renderings();
    await popup.click('a');
    expect(await prompted()).toMatchObject({ type: 'success' });
    await settle();
    expect(await renderings()).toHaveLength(length);
    await show();
    await ready();
    expect(await latest()).toMatchObject({ result: null });
    expect(complaints).toEqual([]);
  });

  it('fetches the discovery document of an issuer', async () => {
    issuer.answer = shared(200, { issuer: issuer.origin, authorization_endpoint: `${sites.provider}/authorize` });
    await show({ issuer: issuer.origin });
    await ready();
    expect(await latest()).toMatchObject({ url: expect.stringContaining(`${sites.provider}/authorize?`) });
  });

  it('shows an error boundary why discovery failed', async () => {
    issuer.answer = shared(200, { issuer: 'https://another.example' });
    await show({ issuer: issuer.origin });
    expect(await app.getByRole('alert').textContent()).toContain('another issuer');
  });

  it('tells onError why discovery failed', async () => {
    issuer.answer = shared(503, { down: true });
    await show({ issuer: issuer.origin, withOnError: true });
    await expect.poll(() => app.evaluate(() => window.page.told)).toEqual([expect.stringContaining('503')]);
    expect(await latest()).toMatchObject({ ready: null });
    expect(await app.getByRole('alert').count()).toBe(0);
  });

  it('tells nobody of a failure that came after it was hidden', async () => {
    let fail = (): void => {};
    const asked = new Promise<void>((resolve) => {
      issuer.answer = (request, response) => {
        fail = () => shared(503, {})(request, response);
        resolve();
      };
    });
    await show({ issuer: issuer.origin, withOnError: true });
    await asked;
    await app.evaluate(() => window.page.hide());
    await settle();
    const answered = app.waitForResponse(/openid-configuration/).then((response) => response.finished());
    fail();
    await answered;
    await settle();
    expect(await app.evaluate(() => window.page.told)).toEqual([]);
  });
});

/** Answers with JSON that pages of any origin may read. */
function shared(status: number, body: unknown): AnsweringServer['answer'] {
  return (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    json(status, body)(request, response);
  };
}
