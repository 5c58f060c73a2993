import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevice, settled } from './fixtures/device.ts';
import type { Device } from './fixtures/device.ts';
import type * as Native from './index.native.ts';

type Entry = typeof Native;

const redirectUrl = 'com.example.app:/callback';
const page = `https://provider.example/authorize?state=own&redirect_uri=${encodeURIComponent(redirectUrl)}`;

let device: Device;
let opened: string[];
let entry: Entry;
let loads = 0;

/** The native entry as an app has it, with a React Native that the test plays; and with what else is imported before. */
async function load(os: string, { before = '', modules = {} as Record<string, string> } = {}): Promise<Entry> {
  vi.stubGlobal('os', os);
  const at = (name: string): string => JSON.stringify(path.join(import.meta.dirname, name));
  const bundle = await rolldown({
    input: 'entry',
    resolve: { alias: { 'react-native': path.join(import.meta.dirname, 'fixtures/react-native.ts') } },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' || id in modules ? `\0${id}` : null),
        load(id) {
          if (id === '\0entry') return `${before && `import ${at(before)};`} export * from ${at('index.native.ts')};`;
          return modules[id.slice(1)] ?? null;
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  // A module of its own for each test.
  const code = `${output[0].code}\n// ${loads++}`;
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Entry;
}

beforeEach(() => {
  device = createDevice();
  opened = [];
  vi.stubGlobal('device', device);
  vi.stubGlobal('opened', opened);
});
afterEach(() => vi.unstubAllGlobals());

describe('the native entry', () => {
  beforeEach(async () => {
    entry = await load('android');
  });

  it('has the names of the web, and the registration of a browser', async () => {
    const web = await import('./index.ts');
    // The compiler compares the types.
    const asOnTheWeb: typeof web = entry;
    expect(Object.keys(asOnTheWeb).toSorted()).toEqual([...Object.keys(web), 'registerBrowser'].toSorted());
  });

  it('opens the browser of the system, and succeeds by the link', async () => {
    const result = entry.openAuthSessionAsync(page);
    await settled();
    expect(opened).toEqual([page]);
    expect(await entry.openAuthSessionAsync(page)).toEqual({ type: 'locked' });
    device.sendLink(`${redirectUrl}?state=own&code=1`);
    expect(await result).toEqual({ type: 'success', url: `${redirectUrl}?state=own&code=1` });
    expect(device.left).toBe(0);
  });

  it('is dismissed by the app', async () => {
    const result = entry.openAuthSessionAsync(page, redirectUrl);
    entry.dismissAuthSession();
    expect(await result).toEqual({ type: 'dismiss' });
  });

  it('opens a page next to the app', async () => {
    expect(await entry.openBrowserAsync('https://example.com')).toEqual({ type: 'opened' });
    expect(opened).toEqual(['https://example.com']);
  });

  it.each([
    ['openAuthSessionAsync', () => entry.openAuthSessionAsync('https://unreachable.example', redirectUrl)],
    ['openBrowserAsync', () => entry.openBrowserAsync('https://unreachable.example')],
    ['openAuthSessionAsync, of another scheme', () => entry.openAuthSessionAsync('tel:1', redirectUrl)],
    ['openBrowserAsync, of another scheme', () => entry.openBrowserAsync('javascript:1')],
  ])('%s says that the page cannot be opened', async (_, open) => {
    await expect(open()).rejects.toThrow(expect.objectContaining({ code: 'ERR_WEB_BROWSER_OPEN' }));
  });

  it.each([{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { state: '' }])('opens nothing with %j', async (options) => {
    const opening = entry.openAuthSessionAsync(page, redirectUrl, options);
    await expect(opening).rejects.toThrow(expect.objectContaining({ code: 'ERR_WEB_BROWSER_ARGUMENT' }));
    expect(opened).toEqual([]);
  });

  it.each([undefined, '/callback'])('refuses the redirect URL %s', async (redirectUrl) => {
    const opening = entry.openAuthSessionAsync('https://provider.example', redirectUrl);
    await expect(opening).rejects.toThrow(expect.objectContaining({ code: 'ERR_WEB_BROWSER_REDIRECT' }));
  });

  it('says that nothing is to be completed as on a page', () => {
    expect(entry.maybeCompleteAuthSession().type).toBe('failed');
    expect(entry.getRedirectResult()).toBeNull();
    expect(entry.platform).toBe('android');
  });

  it('opens the browser that was registered', async () => {
    entry.registerBrowser({
      open: async (url, { redirectUrl }) => ({ type: 'success', url: `${redirectUrl}?state=own&opened=${url.length}` }),
      openPage: async () => ({ type: 'cancel' }),
    });
    const url = `${redirectUrl}?state=own&opened=${page.length}`;
    expect(await entry.openAuthSessionAsync(page)).toEqual({ type: 'success', url });
    expect(await entry.openBrowserAsync(page)).toEqual({ type: 'cancel' });
    entry.registerBrowser(null);
    expect(await entry.openBrowserAsync(page)).toEqual({ type: 'opened' });
  });
});

describe.each([
  ['adapter-expo.ts', 'expo-web-browser'],
  ['adapter-inappbrowser.ts', 'react-native-inappbrowser-reborn'],
])('%s', (adapter, name) => {
  it(`lets the browser of ${name} open when it is imported`, async () => {
    const answer = `{ type: 'success', url: '${redirectUrl}?state=own' }`;
    const module = `
      export const openAuthSessionAsync = async () => (${answer});
      export const openBrowserAsync = async () => ({ type: 'opened' });
      export const InAppBrowser = { isAvailable: async () => true, openAuth: openAuthSessionAsync };
    `;
    entry = await load('ios', { before: adapter, modules: { [name]: module } });
    expect(await entry.openAuthSessionAsync(page)).toEqual({ type: 'success', url: `${redirectUrl}?state=own` });
    expect(opened).toEqual([]);
  });
});
