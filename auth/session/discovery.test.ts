import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fetchDiscoveryAsync, issuerWithWellKnownUrl, resolveDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';

let server: AnsweringServer;

beforeAll(async () => {
  server = await startAnsweringServer();
});

afterEach(() => void vi.unstubAllGlobals());

afterAll(() => server[Symbol.asyncDispose]());

it.each([
  ['https://provider.example', 'https://provider.example/.well-known/openid-configuration'],
  ['https://provider.example/', 'https://provider.example/.well-known/openid-configuration'],
  ['https://provider.example/tenant', 'https://provider.example/tenant/.well-known/openid-configuration'],
])('finds the document of %s (OpenID Connect Discovery section 4)', (issuer, url) => {
  expect(issuerWithWellKnownUrl(issuer)).toBe(url);
});

it.each([
  ['', '/.well-known/oauth-authorization-server'],
  ['/', '/.well-known/oauth-authorization-server'],
  ['/tenant', '/.well-known/oauth-authorization-server/tenant'],
  ['/tenant/', '/.well-known/oauth-authorization-server/tenant'],
])('finds the document of a server of OAuth alone at %j (RFC 8414 section 3.1)', async (path, expected) => {
  const issuer = server.origin + path;
  const asked: (string | undefined)[] = [];
  server.answer = (request, response) => {
    asked.push(request.url);
    const isThere = request.url?.startsWith('/.well-known/oauth') === true;
    (isThere ? json(200, { issuer }) : text(404, 'text/plain', ''))(request, response);
  };
  expect((await fetchDiscoveryAsync(issuer)).discoveryDocument).toEqual({ issuer });
  expect(asked[1]).toBe(expected);
});

it.each([
  ['/o/.well-known/openid-configuration/', 301],
  ['http://accounts.example/o/.well-known/openid-configuration/', 308],
])('finds the document of a server that redirects to the same path with a slash, by %s', async (location, status) => {
  const issuer = `${server.origin}/o`;
  const asked: (string | undefined)[] = [];
  server.answer = (request, response) => {
    asked.push(request.url);
    if (request.url?.endsWith('/')) json(200, { issuer })(request, response);
    else response.writeHead(status, { location }).end();
  };
  expect((await fetchDiscoveryAsync(issuer)).discoveryDocument).toEqual({ issuer });
  expect(asked).toEqual(['/o/.well-known/openid-configuration', '/o/.well-known/openid-configuration/']);
});

it('finds it in a page, too, which is not told where a redirect leads', async () => {
  const issuer = 'https://accounts.example/o';
  const asked: string[] = [];
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    asked.push(url);
    // The only way to make a response with the status 0, as a page gets it for a redirect.
    return url.endsWith('/') ? Response.json({ issuer }) : Response.error();
  });
  expect((await fetchDiscoveryAsync(issuer)).discoveryDocument).toEqual({ issuer });
  expect(asked).toHaveLength(2);
});

it.each(['/elsewhere/', '/login?next=/o/.well-known/openid-configuration', 'https://evil.example/'])(
  'follows no redirect of a document to %s',
  async (location) => {
    let asked = 0;
    server.answer = (_, response) => {
      asked += 1;
      response.writeHead(302, { location }).end();
    };
    const failure = { code: 'invalid_response', info: { status: 302 } };
    await expect(fetchDiscoveryAsync(`${server.origin}/o`)).rejects.toMatchObject(failure);
    expect(asked).toBe(1);
  },
);

it('names the endpoints of a provider as they are', async () => {
  const metadata = {
    issuer: server.origin,
    authorization_endpoint: 'https://provider.example/authorize?tenant=7',
    token_endpoint: 'https://provider.example/token/',
    revocation_endpoint: 'https://provider.example/revoke',
    userinfo_endpoint: 'https://provider.example/me',
    end_session_endpoint: 'https://provider.example/end',
    registration_endpoint: 'https://provider.example/register',
  };
  server.answer = json(200, metadata);
  expect(await fetchDiscoveryAsync(server.origin)).toEqual({
    discoveryDocument: metadata,
    authorizationEndpoint: 'https://provider.example/authorize?tenant=7',
    tokenEndpoint: 'https://provider.example/token/',
    revocationEndpoint: 'https://provider.example/revoke',
    userInfoEndpoint: 'https://provider.example/me',
    endSessionEndpoint: 'https://provider.example/end',
    registrationEndpoint: 'https://provider.example/register',
  });
});

it.each([
  ['another', () => 'https://evil.example'],
  ['a trailing slash', () => `${server.origin}/`],
  ['none', () => undefined],
])('refuses a document whose issuer is %s (OpenID Connect Discovery section 4.3)', async (_, issuer) => {
  server.answer = json(200, { issuer: issuer(), token_endpoint: 'https://evil.example/token' });
  await expect(fetchDiscoveryAsync(server.origin)).rejects.toMatchObject({
    code: 'issuer_mismatch',
    message: expect.stringMatching(
      `^The discovery document of ${server.origin} is that of another issuer, .* acceptIssuer\\.$`,
    ),
  });
});

it('accepts another issuer when the caller allows it', async () => {
  const issuer = 'https://provider.example/{tenant}';
  server.answer = json(200, { issuer });
  const acceptIssuer = (given: unknown): boolean => given === issuer;
  expect((await fetchDiscoveryAsync(server.origin, { acceptIssuer })).discoveryDocument).toEqual({ issuer });
});

it.each([
  ['404', text(404, 'text/html', '<p>Not found')],
  ['500', json(500, { issuer: 'x' })],
  ['HTML', text(200, 'text/html', '<p>Welcome')],
  ['a list', json(200, [])],
])('refuses %s for a document', async (_, answer) => {
  server.answer = answer;
  await expect(fetchDiscoveryAsync(server.origin)).rejects.toMatchObject({
    name: 'ResponseError',
    code: 'invalid_response',
  });
});

it('accepts a document unchanged', async () => {
  const document = { tokenEndpoint: 'https://provider.example/token' };
  expect(await resolveDiscoveryAsync(document)).toBe(document);
});

it.each(['', null, undefined, 1, true])('refuses to resolve %s', async (value) => {
  await expect(resolveDiscoveryAsync(value as never)).rejects.toMatchObject({
    code: 'ERR_AUTH_ARGUMENT',
    message: expect.stringContaining('neither was given'),
  });
});
