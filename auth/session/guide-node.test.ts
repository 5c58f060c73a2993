import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { createElement } from 'react';
import type { FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { getLoopbackRedirectUrl } from 'appkit-web-browser';
import { AuthRequest, fetchDiscoveryAsync } from './core.ts';
import type { DiscoveryDocument, TokenResponse } from './core.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { clientKey, clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import { waitForLoopback } from './fixtures/loopback-page.ts';
import { visit } from './fixtures/visit.ts';
import type { SessionServer } from './server.ts';
import { bundleSamples, filesIn, importSample, writeSamples } from '../../tools/guide-samples.ts';
import { inBrowser, inNode, notRun } from './fixtures/guide-samples.ts';

const files = filesIn('docs/guide/sign-in.md');
const SECRET = 'a secret of the tests, long enough';

let provider: LocalProvider;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  provider = await startProvider({
    deviceFlow: { enabled: true },
    dPoP: { enabled: true },
    introspection: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    registration: { enabled: true },
  });
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(() => provider[Symbol.asyncDispose]());

/** Runs a sample as it stands in the guide, with the provider of this test in place of the example's. */
function run<T>(name: string, clientId: string, more: Record<string, string> = {}): Promise<T> {
  return importSample<T>(files, name, {
    'https://accounts.example': provider.issuer,
    "'my-app'": `'${clientId}'`,
    ...more,
  });
}

/** The tokens of a user who has signed in. */
async function tokensOf(client: { clientId: string; redirectUri: string }): Promise<TokenResponse> {
  const scopes = ['openid', 'email', 'offline_access'];
  const request = new AuthRequest({ ...client, scopes, prompt: 'consent' });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  return request.exchangeAsync(result, discovery);
}

/** Lets the system's browser be one that opens nothing: the test is the browser. */
function withoutBrowser(): void {
  const folder = writeSamples(
    new Map([
      ['xdg-open', '#!/bin/sh\n'],
      ['open', '#!/bin/sh\n'],
    ]),
  );
  for (const name of ['xdg-open', 'open']) chmodSync(path.join(folder, name), 0o755);
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH']}`);
}

it('runs each sample of the guides to sign-in, or says why not', () => {
  for (const [page, name, reason] of notRun) console.warn(`Not run: ${name} of ${page}. ${reason}`);
  const left = notRun.filter(([page]) => page === 'docs/guide/sign-in.md').map(([, name]) => name);
  expect([...inNode, ...inBrowser, ...left].toSorted()).toEqual([...files.keys()].toSorted());
  const native = notRun.filter(([page]) => page === 'docs/guide/sign-in-native.md').map(([, name]) => name);
  expect(native).toEqual([...filesIn('docs/guide/sign-in-native.md').keys()]);
});

it('server/session.ts and what uses it: signs in and out, guards, and calls an API', async () => {
  vi.stubEnv('CLIENT_SECRET', clients.server.clientSecret);
  vi.stubEnv('SESSION_SECRET', SECRET);
  await using api = await startAnsweringServer();
  const asked: unknown[] = [];
  api.answer = (request, response) => {
    asked.push([request.url, request.headers.authorization]);
    json(200, ['an order'])(request, response);
  };
  const entry = `
    export { sessions } from './server/session.ts';
    export * as auth from './app/auth/[...auth]+api.ts';
    export { GET as orders } from './app/orders+api.ts';
    export { default as middleware, config } from './app/+middleware.ts';
    export { AccountLinks } from './account-links.tsx';`;
  const samples = await importSample<{
    sessions: SessionServer;
    auth: Pick<SessionServer, 'GET' | 'POST'>;
    orders: (request: Request, params: object) => Promise<Response>;
    middleware: (request: Request) => Promise<Response | undefined>;
    config: { matcher: { patterns: string[] } };
    AccountLinks: FunctionComponent<{ name: string | null }>;
  }>(new Map([...files, ['all.ts', entry]]), 'all.ts', {
    'https://accounts.example': provider.issuer,
    'https://api.example': api.origin,
    "'my-app'": `'${clients.server.clientId}'`,
  });
  const { auth, middleware, orders, sessions } = samples;
  const user = startUserAgent();
  const page = { headers: { 'sec-fetch-mode': 'navigate', accept: 'text/html' } };
  const stranger = await middleware(user.request('/account', page));
  expect([stranger?.status, stranger?.headers.get('location')]).toEqual([
    303,
    `${APP}/auth/sign-in?returnTo=%2Faccount`,
  ]);
  // The link of the page, as a user follows it.
  const link = /href="([^"]+)"/.exec(renderToStaticMarkup(createElement(samples.AccountLinks, { name: null })))?.[1];
  const begun = await user.open(auth.GET, link ?? '');
  const back = await user.open(auth.GET, await visit(begun.headers.get('location') ?? ''));
  expect(back.headers.get('location')).toBe(`${APP}/account`);
  expect(await middleware(user.request('/account', page))).toBe(undefined);
  expect(samples.config.matcher.patterns).toContain('/account');
  const session = await sessions.read(user.request('/'));
  const answer = await user.open((request) => orders(request, {}), '/orders');
  expect(await answer.json()).toEqual(['an order']);
  expect(asked).toEqual([['/orders?of=ada', `Bearer ${session?.accessToken}`]]);
  const form = renderToStaticMarkup(createElement(samples.AccountLinks, { name: 'Ada' }));
  const [, method = ''] = / method="(\w+)"/.exec(form) ?? [];
  const [, action = ''] = / action="([^"]+)"/.exec(form) ?? [];
  const left = await user.open(auth.POST, action, { method, headers: { origin: APP } });
  expect([left.status, await sessions.read(user.request('/'))]).toEqual([303, null]);
});

it('server/apple.ts: signs in with a secret that it signs, after an answer that is posted', async () => {
  const [own, apples] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ]);
  vi.stubEnv('APPLE_KEY', await exportPKCS8(own.privateKey));
  vi.stubEnv('SESSION_SECRET', SECRET);
  await using apple = await startAnsweringServer();
  const { origin: issuer } = apple;
  const client = { subject: 'com.example.web', issuer: 'TEAM123456', audience: issuer };
  let nonce: string | null = null;
  apple.answer = async (request, response) => {
    if (request.url === '/keys') {
      json(200, { keys: [{ ...(await exportJWK(apples.publicKey)), alg: 'RS256', kid: 'k' }] })(request, response);
    } else if (request.url === '/token') {
      const form = new URLSearchParams(await new Response(request as unknown as ReadableStream).text());
      await jwtVerify(form.get('client_secret') ?? '', own.publicKey, client);
      const idToken = await new SignJWT({ nonce, email: 'ada@example.test' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(issuer)
        .setAudience('com.example.web')
        .setSubject('ada')
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(apples.privateKey);
      const tokens = {
        access_token: 'a',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: 'r',
        id_token: idToken,
      };
      json(200, tokens)(request, response);
    } else {
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      const methods = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
      json(200, { issuer, jwks_uri: `${issuer}/keys`, ...endpoints, ...methods })(request, response);
    }
  };
  const more = { 'https://appleid.apple.com': issuer };
  const { sessions } = await run<{ sessions: SessionServer }>('server/apple.ts', 'unused', more);
  const user = startUserAgent();
  const begun = await user.open(sessions.GET, '/auth/sign-in?returnTo=/account');
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  expect(asked.get('response_mode')).toBe('form_post');
  nonce = asked.get('nonce');
  const body = new URLSearchParams({
    code: 'c',
    state: asked.get('state') ?? '',
    user: '{"name":{"firstName":"Ada"}}',
  });
  // Without the cookies of the app: a browser keeps them back from the form of another site.
  const posted = await sessions.POST(new Request(`${APP}/auth/callback`, { method: 'POST', body }));
  const back = await user.open(sessions.GET, posted.headers.get('location') ?? '');
  expect(back.headers.get('location')).toBe(`${APP}/account`);
  const session = await sessions.read(user.request('/'));
  expect(session).toMatchObject({ subject: 'ada', claims: { email: 'ada@example.test', name: 'Ada' } });
});

it('server/github.ts, its route, server/user.ts and its middleware: one app signs in with either of two providers', async () => {
  vi.stubEnv('CLIENT_SECRET', clients.server.clientSecret);
  vi.stubEnv('GITHUB_SECRET', 'known to the server alone');
  vi.stubEnv('SESSION_SECRET', SECRET);
  await using played = await startAnsweringServer();
  played.answer = (request, response) => {
    const isUser = request.url === '/user' && request.headers.authorization === 'Bearer from-github';
    const answer = isUser ? { id: 7, login: 'ada' } : { access_token: 'from-github', token_type: 'bearer' };
    json(200, answer)(request, response);
  };
  const entry = `
    export * as github from './app/auth/github/[...auth]+api.ts';
    export { GET } from './app/auth/[...auth]+api.ts';
    export { findUser } from './server/user.ts';
    export { default as middleware } from './app/account/+middleware.ts';`;
  const { findUser, github, middleware, ...accounts } = await importSample<{
    findUser: (request: Request) => Promise<unknown>;
    github: SessionServer;
    middleware: (request: Request) => Promise<Response | undefined>;
    GET: SessionServer['GET'];
  }>(new Map([...files, ['all.ts', entry]]), 'all.ts', {
    'https://accounts.example': provider.issuer,
    "'my-app'": `'${clients.server.clientId}'`,
    'https://api.github.com': played.origin,
    'https://github.com': played.origin,
  });
  const user = startUserAgent();
  const page = { headers: { 'sec-fetch-mode': 'navigate', accept: 'text/html' } };
  const signIn = async (at: 'accounts' | 'github'): Promise<void> => {
    if (at === 'accounts') return void (await user.signIn(accounts as SessionServer));
    const begun = await user.open(github.GET, '/auth/github/sign-in');
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    await user.open(github.GET, `/auth/github/callback?code=c&state=${state}`);
  };
  const asked = await middleware(user.request('/account', page));
  expect(asked?.headers.get('location')).toBe(`${APP}/auth/sign-in?returnTo=%2Faccount`);
  expect(await middleware(user.request('/auth/github/callback', page))).toBeUndefined();
  expect(await findUser(user.request('/'))).toBeUndefined();
  for (const at of ['github', 'accounts', 'github'] as const) {
    await signIn(at);
    const subject = at === 'github' ? '7' : 'ada';
    expect(await findUser(user.request('/'))).toMatchObject({ provider: at, subject });
    expect(await middleware(user.request('/account', page))).toBeUndefined();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 });
  }
  vi.useRealTimers();
});

it('server/sessions-with-key.ts: signs in without a secret', async () => {
  vi.stubEnv('CLIENT_KEY', JSON.stringify(clientKey));
  vi.stubEnv('SESSION_SECRET', SECRET);
  const { sessions } = await run<{ sessions: SessionServer }>('server/sessions-with-key.ts', 'signing');
  const user = startUserAgent();
  await user.signIn(sessions);
  expect(await sessions.read(user.request('/'))).toMatchObject({ subject: 'ada' });
});

it('tokens.ts: refreshes, asks who it is, and revokes', async () => {
  const samples = await run<{
    freshAccessToken: (tokens: TokenResponse, discovery: DiscoveryDocument) => Promise<string>;
    whoAmI: (tokens: TokenResponse, discovery: DiscoveryDocument) => Promise<unknown>;
    forget: (tokens: TokenResponse, discovery: DiscoveryDocument) => Promise<void>;
  }>('tokens.ts', 'public');
  const tokens = await tokensOf(clients.public);
  expect(await samples.freshAccessToken(tokens, discovery)).toBe(tokens.accessToken);
  const { accessToken, expiresIn = 0 } = tokens;
  tokens.issuedAt -= expiresIn;
  expect(await samples.freshAccessToken(tokens, discovery)).not.toBe(accessToken);
  expect(await samples.whoAmI(tokens, discovery)).toMatchObject({ sub: 'ada' });
  await samples.forget(tokens, discovery);
  await expect(samples.whoAmI(tokens, discovery)).rejects.toMatchObject({ name: 'ResponseError' });
});

it('app/token+api.ts: adds the secret, and exchange.ts sends it the code', async () => {
  const { clientId, clientSecret, redirectUri } = clients.confidential;
  vi.stubEnv('CLIENT_SECRET', clientSecret);
  const { POST } = await run<{ POST: (request: Request) => Promise<Response> }>('app/token+api.ts', clientId);
  const { exchange } = await run<{ exchange: (request: AuthRequest, result: object) => Promise<unknown> }>(
    'exchange.ts',
    clientId,
  );
  const request = new AuthRequest({ clientId, redirectUri, scopes: ['openid'] });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  // The page's own origin, which Node does not have.
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string | Request, init?: RequestInit) =>
    url === '/token' ? POST(new Request(`${APP}/token`, init)) : fetch(url, init),
  );
  expect(await exchange(request, result)).toEqual({ accessToken: expect.any(String), expiresIn: 3600 });
  // A code is good once.
  await expect(exchange(request, result)).rejects.toThrow('Sign in again');
});

it('cli.ts: signs the user of a command-line tool in', async () => {
  withoutBrowser();
  const replace = { 'https://accounts.example': provider.issuer, "'my-app'": "'public'" };
  const code = await bundleSamples(files, 'cli.ts', { platform: 'node', replace });
  const folder = writeSamples(new Map([['cli.mjs', code]]));
  const child = spawn(process.execPath, ['cli.mjs'], { cwd: folder, env: process.env });
  onTestFinished(() => void child.kill());
  let output = '';
  const opened = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text;
        const url = /^Opening (\S+)\n/.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const back = await visit(await Promise.race([opened, ended.then(() => output)]));
  // It listens a moment after it has said so.
  await expect
    .poll(() =>
      fetch(back).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  expect([await ended, output]).toEqual([0, expect.stringMatching(/\nopenid\n$/)]);
});

it('tenants.ts: takes the document of a provider with many tenants', async () => {
  await using server = await startAnsweringServer();
  const issuer = `${server.origin}/{tenantid}/v2.0`;
  server.answer = (request, response) =>
    request.url === '/organizations/v2.0/.well-known/openid-configuration'
      ? json(200, { issuer, token_endpoint: `${server.origin}/token` })(request, response)
      : json(404, {})(request, response);
  const { discover } = await run<{ discover: () => Promise<DiscoveryDocument> }>('tenants.ts', 'public', {
    'https://login.microsoftonline.com': server.origin,
  });
  expect(await discover()).toMatchObject({ discoveryDocument: { issuer } });
});

it('extensions.ts: pushes, binds, signs in on a television, asks and registers', async () => {
  withoutBrowser();
  vi.stubEnv('CLIENT_SECRET', clients.confidential.clientSecret);
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void said.push(String(text)));
  onTestFinished(() => void vi.restoreAllMocks());
  type With<T extends unknown[], R> = (...given: [...T, DiscoveryDocument]) => Promise<R>;
  const samples = await run<{
    pushed: With<[AuthRequest], void>;
    bound: With<[AuthRequest], TokenResponse | null>;
    onATelevision: (discovery: DiscoveryDocument, signal: AbortSignal) => Promise<TokenResponse>;
    mayRead: With<[string], boolean>;
    newClient: With<[], string>;
  }>('extensions.ts', 'public', { "'my-tv'": "'device'", "'my-api'": `'${clients.confidential.clientId}'` });

  const request = new AuthRequest({ ...clients.public, scopes: ['openid'] });
  await samples.pushed(request, discovery);
  expect(said.pop()).toMatch(/^Sign in within \d+ s\.$/);
  expect(await visit(request.url ?? '')).toContain('code=');

  const redirectUri = await getLoopbackRedirectUrl('/callback');
  const prompted = new AuthRequest({ clientId: 'public', redirectUri, scopes: ['openid'] });
  const bound = samples.bound(prompted, discovery);
  await waitForLoopback(redirectUri);
  await fetch(await visit(prompted.url ?? ''));
  expect(await bound).toMatchObject({ tokenType: 'dpop' });

  const tv = samples.onATelevision(discovery, new AbortController().signal);
  await expect.poll(() => said.at(-1)).toMatch(/^Open \S+ and type/);
  const [, url = '', code = ''] = /^Open (\S+) and type (\S+)\.$/.exec(said.at(-1) ?? '') ?? [];
  await visit(`${url}?user_code=${code}`);
  const tokens = await tv;
  expect(tokens.accessToken).toEqual(expect.any(String));

  expect(await samples.mayRead(tokens.accessToken, discovery)).toBe(false);
  expect(await samples.newClient(discovery)).toMatch(/./);
});
