import { afterEach, describe, expect, it, vi } from 'vitest';
import { setAppContext } from './app-context.ts';
import type { AppContext } from './app-context.ts';
import { isAuthSessionUrl } from './auth-session-url.ts';
import { getDefaultReturnUrl, getRedirectUrl, makeRedirectUri } from './redirect-uri.ts';
import type { AuthSessionRedirectUriOptions } from './redirect-uri-options.ts';

const device = vi.hoisted(() => ({ platform: 'web' }));
vi.mock('appkit-web-browser', () => ({
  get platform() {
    return device.platform;
  },
}));

const origin = 'https://app.example:8443';

const PAGE = `# Redirect URIs

What \`makeRedirectUri\` gives. This table is written by \`auth/session/redirect-uri.test.ts\`, and each row is a case of it. “App” is
what \`setAppContext\` is given or the app config has; \`executionEnvironment\` is \`bare\` where it is not named.
[Sign-in in React Native](guide/sign-in-native.md#redirect-uris) says which to choose.
`;

afterEach(() => {
  vi.unstubAllGlobals();
  setAppContext({});
  device.platform = 'web';
});

type Where = 'android' | 'ios' | 'page' | 'server' | 'windows';

function runOn(where: Where, context: AppContext = {}): void {
  if (where === 'page') vi.stubGlobal('window', { location: { origin } });
  // React Native has a window, but no page.
  const isNative = where !== 'page' && where !== 'server';
  if (isNative) vi.stubGlobal('window', globalThis);
  device.platform = isNative ? where : 'web';
  setAppContext(context);
}

/** One row of docs/redirect-uris.md. Without a result, it is an error of the code that is given instead. */
type Row = [where: Where, context: AppContext, options: AuthSessionRedirectUriOptions, uri: string];

const demo: AppContext = { scheme: 'demo' };
const go: AppContext = { executionEnvironment: 'storeClient', scheme: 'demo', hostUri: '192.168.1.4:8081' };
const hosted: AppContext = { executionEnvironment: 'storeClient', hostUri: 'exp.host/@test/test?release-channel=rc' };
const standalone: AppContext = { executionEnvironment: 'standalone', scheme: 'demo' };
const native = 'com.example.app:/callback';

const rows: Row[] = [
  ['page', {}, {}, origin],
  ['page', {}, { path: 'callback' }, `${origin}/callback`],
  ['page', {}, { path: '/callback' }, `${origin}/callback`],
  ['page', {}, { path: '//callback' }, `${origin}/callback`],
  ['page', {}, { path: 'callback/' }, `${origin}/callback/`],
  ['page', {}, { path: 'callback', preferLocalhost: true }, `${origin}/callback`],
  ['page', {}, { path: 'callback', queryParams: { q: 'a b&c', none: undefined } }, `${origin}/callback?q=a+b%26c`],
  ['page', {}, { path: 'callback', scheme: 'app', native, isTripleSlashed: true }, `${origin}/callback`],
  ['server', {}, { path: 'callback' }, ''],
  ['ios', demo, {}, 'demo://'],
  ['ios', demo, { path: 'callback' }, 'demo://callback'],
  ['ios', demo, { path: '/callback' }, 'demo:///callback'],
  ['ios', demo, { path: 'callback', isTripleSlashed: true }, 'demo:///callback'],
  ['ios', demo, { path: '/callback', isTripleSlashed: true }, 'demo:///callback'],
  ['ios', demo, { path: '//callback', isTripleSlashed: true }, 'demo:///callback'],
  ['ios', demo, { isTripleSlashed: true }, 'demo:///'],
  ['ios', demo, { path: 'a b/ü%20c' }, 'demo://a%20b/%C3%BC%20c'],
  ['ios', demo, { path: '100%/50%a' }, 'demo://100%25/50%25a'],
  ['ios', demo, { path: 'callback', queryParams: { q: 'a b&c' } }, 'demo://callback?q=a+b%26c'],
  ['ios', demo, { scheme: 'other', path: 'callback' }, 'other://callback'],
  ['ios', demo, { native, scheme: 'other', path: 'callback', preferLocalhost: true }, native],
  ['ios', standalone, { native, path: 'callback' }, native],
  ['ios', standalone, { path: 'callback' }, 'demo://callback'],
  ['ios', { scheme: ['one', 'two'] }, { path: 'callback' }, 'one://callback'],
  ['ios', { ...demo, ios: { scheme: 'apple' } }, { path: 'callback' }, 'apple://callback'],
  ['ios', { ...demo, android: { scheme: 'andro' } }, { path: 'callback' }, 'demo://callback'],
  ['android', { ...demo, android: { scheme: ['andro', 'id'] } }, { path: 'callback' }, 'andro://callback'],
  ['ios', { ...demo, hostUri: '192.168.1.4:8081' }, { path: 'callback' }, 'demo://callback'],
  [
    'ios',
    { scheme: 'demo', hostUri: '192.168.1.4:8081' },
    { path: '10.0.0.1', preferLocalhost: true },
    'demo://10.0.0.1',
  ],
  ['ios', {}, { path: 'callback' }, 'ERR_AUTH_SCHEME'],
  ['ios', standalone, { scheme: 'demo://' }, 'ERR_AUTH_SCHEME'],
  ['ios', standalone, { scheme: 'exp://demo' }, 'ERR_AUTH_SCHEME'],
  ['ios', go, {}, 'exp://192.168.1.4:8081'],
  ['ios', go, { path: 'callback' }, 'exp://192.168.1.4:8081/--/callback'],
  ['ios', go, { path: '/callback', isTripleSlashed: true }, 'exp://192.168.1.4:8081/--/callback'],
  ['ios', go, { path: '//auth/callback' }, 'exp://192.168.1.4:8081/--/auth/callback'],
  ['ios', go, { path: 'auth/callback', scheme: 'exps' }, 'exps://192.168.1.4:8081/--/auth/callback'],
  ['ios', go, { path: 'callback', preferLocalhost: true }, 'exp://localhost:8081/--/callback'],
  [
    'ios',
    { ...go, hostUri: '192.168.1.4//' },
    { path: 'callback', preferLocalhost: true },
    'exp://localhost/--/callback',
  ],
  ['ios', { ...go, hostUri: 'lan-10.1.2.3:8081' }, { preferLocalhost: true }, 'exp://lan-10.1.2.3:8081'],
  ['ios', go, { path: 'callback', native, scheme: 'demo' }, 'exp://192.168.1.4:8081/--/callback'],
  [
    'ios',
    { ...go, hostUri: '10.1.2.3.example.com:8081' },
    { preferLocalhost: true },
    'exp://10.1.2.3.example.com:8081',
  ],
  ['ios', hosted, { path: 'a', queryParams: { x: '1 2' } }, 'exp://exp.host/@test/test/--/a?x=1+2&release-channel=rc'],
  ['ios', { executionEnvironment: 'storeClient' }, { path: 'callback' }, 'ERR_AUTH_PLATFORM'],
];

it.each(rows)('on %s with %j makes the redirect URI from %j', (where, context, options, expected) => {
  runOn(where, context);
  if (expected.startsWith('ERR_')) {
    expect(() => makeRedirectUri(options)).toThrow(expect.objectContaining({ name: 'TypeError', code: expected }));
  } else expect(makeRedirectUri(options)).toBe(expected);
});

it('is what docs/redirect-uris.md says, which this writes: vitest run auth/session/redirect-uri.test.ts -u', async () => {
  const cells = rows.map(([where, context, options, uri]) => [
    where === 'page' ? `page of ${code(origin)}` : where === 'server' ? 'rendered on a server' : where,
    toCell(context),
    toCell(options),
    uri === '' ? 'nothing' : uri.startsWith('ERR_') ? `error ${code(uri)}` : code(uri),
  ]);
  await expect(`${PAGE}\n${toTable([['runs on', 'app', 'options', 'redirect URI'], ...cells])}\n`).toMatchFileSnapshot(
    '../../docs/redirect-uris.md',
  );
});

it.each([
  [{}, {}, /no scheme.*Set "scheme" in the app config.*makeRedirectUri\({ scheme }\) or setAppContext/],
  [{}, { scheme: 'demo://' }, /^The scheme "demo:\/\/" .* no ":\/\/"/],
  [{ executionEnvironment: 'storeClient' as const }, {}, /no hostUri.*setAppContext/],
])('says of the app %j with %j what to do', (context, options, message) => {
  runOn('ios', context);
  expect(() => makeRedirectUri(options)).toThrow(message);
});

it('encodes a character of two code units as one', () => {
  runOn('ios', demo);
  expect(makeRedirectUri({ path: 'for/😀' })).toBe('demo://for/%F0%9F%98%80');
});

it('ignores the scheme of iOS and of Android on another system of React Native', () => {
  runOn('windows', { ...demo, ios: { scheme: 'apple' }, android: { scheme: 'andro' } });
  expect(makeRedirectUri({ path: 'callback' })).toBe('demo://callback');
});

it('carries the marker in the default return URL', () => {
  runOn('page');
  expect(getDefaultReturnUrl()).toBe(`${origin}/+appkit-auth-session`);
  expect(getDefaultReturnUrl('/after/sign-in')).toBe(`${origin}/+appkit-auth-session/after/sign-in`);
  expect(getDefaultReturnUrl('//after')).toBe(`${origin}/+appkit-auth-session/after`);
  expect(getDefaultReturnUrl('after/sign-in')).toBe(`${origin}/+appkit-auth-session/after/sign-in`);
  expect(getDefaultReturnUrl('', { scheme: 'app', queryParams: { q: '1' } })).toBe(
    `${origin}/+appkit-auth-session?q=1`,
  );
  runOn('ios', demo);
  expect(getDefaultReturnUrl()).toBe('demo://+appkit-auth-session');
  expect(getDefaultReturnUrl('/after', { isTripleSlashed: true })).toBe('demo:///+appkit-auth-session/after');
  expect(getDefaultReturnUrl('', { scheme: 'app' })).toBe('app://+appkit-auth-session');
  runOn('ios', hosted);
  expect(getDefaultReturnUrl()).toBe('exp://exp.host/@test/test/--/+appkit-auth-session?release-channel=rc');
});

it.each([
  ['demo://+appkit-auth-session', true],
  ['demo://+appkit-auth-session?code=1', true],
  ['demo:///+appkit-auth-session/after#state=1', true],
  ['com.ex:/+appkit-auth-session', true],
  ['exp://192.168.1.4:8081/--/%2Bappkit-auth-session?code=1', true],
  ['https://app.example/+appkit-auth-session/', true],
  ['demo://profile', false],
  ['demo://profile?next=demo://+appkit-auth-session', false],
  ['demo://profile#/+appkit-auth-session', false],
  ['demo://+appkit-auth-session2', false],
  ['', false],
])('knows the answer to a sign-in by its URL: %s is %s', (url, expected) => {
  expect(isAuthSessionUrl(url)).toBe(expected);
});

it('gives the redirect URL of a page', () => {
  runOn('page');
  expect(getRedirectUrl()).toBe(origin);
  expect(getRedirectUrl('callback')).toBe(`${origin}/callback`);
});

it('gives that of a proxy of the app in React Native', () => {
  const proxy = { owner: 'someone', slug: 'app', redirectProxyUrl: 'https://proxy.example//' };
  runOn('ios', { ...go, ...proxy });
  expect(getRedirectUrl()).toBe('https://proxy.example/someone/app');
  for (const path of ['//a b/c', 'a b/c']) {
    expect(getRedirectUrl(path)).toBe('https://proxy.example/someone/app/a%20b/c');
  }
});

const unusable = { name: 'TypeError', code: 'ERR_AUTH_PLATFORM' };

it.each(['owner', 'slug', 'redirectProxyUrl'])('throws for the redirect URL of a proxy without %s', (name) => {
  const proxy = { owner: 'someone', slug: 'app', redirectProxyUrl: 'https://proxy.example' };
  runOn('ios', { ...go, ...proxy, [name]: undefined });
  const message = expect.stringMatching(/redirectProxyUrl, owner and slug.*makeRedirectUri/);
  expect(() => getRedirectUrl()).toThrow(expect.objectContaining({ ...unusable, message }));
});

it('throws for the redirect URL of a bare app in React Native', () => {
  runOn('ios', { ...demo, owner: 'someone', slug: 'app', redirectProxyUrl: 'https://proxy.example' });
  const message = expect.stringContaining('Use makeRedirectUri');
  expect(() => getRedirectUrl('callback')).toThrow(expect.objectContaining({ ...unusable, message }));
});

it('gives nothing while a page is rendered on a server', () => {
  expect([makeRedirectUri({ path: 'callback' }), getDefaultReturnUrl(), getRedirectUrl('callback')]).toEqual([
    '',
    '',
    '',
  ]);
});

it('says that the bundler has taken the entry for pages', () => {
  vi.stubGlobal('window', globalThis);
  const message = expect.stringContaining('condition react-native');
  expect(() => makeRedirectUri()).toThrow(expect.objectContaining({ ...unusable, message }));
});

it('gives nothing on Node, which is not React Native', () => {
  device.platform = 'node';
  setAppContext(demo);
  expect(makeRedirectUri()).toBe('');
});

describe('where there are modules of Expo', () => {
  const config = { scheme: 'demo', ios: { scheme: 'apple' } };
  it.each([
    ['a bare app', { ExponentConstants: { executionEnvironment: 'bare', manifest: config } }, 'apple://cb'],
    [
      'Android',
      { ExponentConstants: { executionEnvironment: 'bare', manifest: JSON.stringify(config) } },
      'apple://cb',
    ],
    [
      'a store client',
      {
        ExponentConstants: { executionEnvironment: 'storeClient', manifest: {} },
        ExpoUpdates: { manifest: { metadata: {}, extra: { expoClient: { ...config, hostUri: '10.0.0.1:80' } } } },
      },
      'exp://10.0.0.1:80/--/cb',
    ],
    [
      'an update that came with the app',
      {
        ExponentConstants: { executionEnvironment: 'standalone', manifest: config },
        ExpoUpdates: { isEmbeddedLaunch: true, manifest: { id: '1' } },
      },
      'apple://cb',
    ],
    [
      'an update of Android',
      {
        ExponentConstants: { executionEnvironment: 'standalone', manifest: '' },
        ExpoUpdates: { manifestString: JSON.stringify({ metadata: {}, extra: { expoClient: config } }) },
      },
      'apple://cb',
    ],
    [
      'an app whose update says nothing',
      {
        ExponentConstants: { executionEnvironment: 'standalone', manifest: config },
        ExpoUpdates: { manifest: {} },
      },
      'apple://cb',
    ],
    [
      'an app whose update is null',
      {
        ExponentConstants: { executionEnvironment: 'standalone', manifest: config },
        ExpoUpdates: { manifestString: 'null' },
      },
      'apple://cb',
    ],
    [
      'an app whose update has no app config',
      {
        ExponentConstants: { executionEnvironment: 'standalone', manifest: config },
        ExpoUpdates: { manifest: { metadata: {} } },
      },
      'apple://cb',
    ],
    [
      'an app whose update is empty on Android',
      {
        ExponentConstants: { executionEnvironment: 'standalone', manifest: config },
        ExpoUpdates: { manifestString: '' },
      },
      'apple://cb',
    ],
  ])('reads the app config that Expo has of %s', (_, modules, expected) => {
    runOn('ios');
    vi.stubGlobal('expo', { modules });
    expect(makeRedirectUri({ path: 'cb' })).toBe(expected);
  });

  it('prefers what the app says of itself', () => {
    runOn('android', { scheme: 'own' });
    vi.stubGlobal('expo', { modules: { ExponentConstants: { executionEnvironment: 'bare', manifest: config } } });
    expect(makeRedirectUri({ path: 'cb' })).toBe('own://cb');
  });
});

function code(text: string): string {
  return `\`${text}\``;
}

function toCell(value: object): string {
  const text = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(',', ', ')
    .replaceAll('"', "'");
  return text === '' ? '–' : code(text);
}

/** A table as the formatter writes it. */
function toTable(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const toLine = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(toLine).join('\n');
}
