import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { requestDeviceCodeAsync } from './device.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { expectNothingLogged, failureOf } from './fixtures/failure.ts';
import { introspectAsync } from './introspect.ts';
import { exchangeCodeAsync, refreshAsync, revokeAsync } from './operations.ts';
import { pushAuthRequestAsync } from './par.ts';
import { registerClientAsync } from './register.ts';
import { requestAsync } from './request-async.ts';
import type { SendOptions } from './send.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let server: AnsweringServer;
let key: CryptoKey;

beforeAll(async () => {
  server = await startAnsweringServer();
  key = (await generateKeyPair('RS256')).privateKey;
});

afterAll(() => server[Symbol.asyncDispose]());

expectNothingLogged();

const token = 'a-token-that-was-issued-to-this-client';
const clientSecret = 'the-secret-of-the-client';
const code = 'the-code-of-the-answer';
const secrets = [token, clientSecret, code];
const client = { clientId: 'client', clientSecret };
const redirectUri = 'https://app.example/callback';

/** An endpoint of the server by the name it has in its metadata. */
function metadata(name: string): { discoveryDocument: Record<string, string> } {
  return { discoveryDocument: { [name]: `${server.origin}/endpoint` } };
}

/** Asks for the keys, which an id_token in a URL is checked with. Throws what the result says. */
async function askForKeys(options: SendOptions): Promise<void> {
  const request = new AuthRequest({ clientId: 'client', redirectUri, responseType: 'id_token', scopes: ['openid'] });
  const { origin } = server;
  const discoveryDocument = { issuer: origin, jwks_uri: `${origin}/endpoint` };
  await request.makeAuthUrlAsync({ authorizationEndpoint: `${origin}/authorize`, discoveryDocument });
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: origin, aud: 'client', sub: 'ada', nonce: request.nonce, iat: now, exp: now + 60 };
  const idToken = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(key);
  const { error } = await request.parseReturnUrlAsync(
    `${redirectUri}#id_token=${idToken}&state=${request.state}`,
    options,
  );
  if (error) throw error;
}

/** Each with the name that the errors give it. */
const endpoints: [use: string, name: string, ask: (options: SendOptions) => Promise<unknown>][] = [
  ['discovery', 'issuer', (options) => fetchDiscoveryAsync(server.origin, options)],
  ['keys', 'jwks_uri', askForKeys],
  [
    'token, for a code',
    'tokenEndpoint',
    (options) =>
      exchangeCodeAsync({ ...client, code, redirectUri }, { tokenEndpoint: `${server.origin}/endpoint` }, options),
  ],
  [
    'token, for a refresh',
    'tokenEndpoint',
    (options) =>
      refreshAsync({ ...client, refreshToken: token }, { tokenEndpoint: `${server.origin}/endpoint` }, options),
  ],
  [
    'user information',
    'userInfoEndpoint',
    (options) => fetchUserInfoAsync({ accessToken: token }, { userInfoEndpoint: `${server.origin}/endpoint` }, options),
  ],
  [
    'revocation',
    'revocationEndpoint',
    (options) => revokeAsync({ ...client, token }, { revocationEndpoint: `${server.origin}/endpoint` }, options),
  ],
  [
    'introspection',
    'introspection_endpoint',
    (options) => introspectAsync({ ...client, token }, metadata('introspection_endpoint'), options),
  ],
  [
    'device authorization',
    'device_authorization_endpoint',
    (options) => requestDeviceCodeAsync(client, metadata('device_authorization_endpoint'), options),
  ],
  [
    'registration',
    'registrationEndpoint',
    (options) =>
      registerClientAsync(
        { redirect_uris: [redirectUri] },
        { registrationEndpoint: `${server.origin}/endpoint` },
        { ...options, initialAccessToken: token },
      ),
  ],
  [
    'pushed requests',
    'pushed_authorization_request_endpoint',
    (options) =>
      pushAuthRequestAsync(
        new AuthRequest({ ...client, redirectUri }),
        { authorizationEndpoint: `${server.origin}/authorize`, ...metadata('pushed_authorization_request_endpoint') },
        options,
      ),
  ],
  [
    'any request',
    'requestUrl',
    (options) =>
      requestAsync(`${server.origin}/endpoint`, { method: 'POST', body: { token }, dataType: 'json' }, options),
  ],
];

/** What an error says in the end: one about an id_token has the reason as its cause. */
function reasonOf(error: Error & { code?: string }): unknown {
  if (error.code !== 'invalid_id_token') return error;
  // That of the library is in between.
  const { cause } = error as { cause?: Error };
  return cause?.name === 'ResponseError' && (cause as { code?: string }).code === 'invalid_id_token'
    ? cause.cause
    : cause;
}

// 64 kilobytes, which are 64 megabytes.
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(endpoints)('the endpoint of a hostile provider for %s', (_, name, ask) => {
  it('is given up when its answer does not begin in time', async () => {
    server.answer = () => {};
    const failure = await failureOf(ask({ timeoutMs: 100 }), secrets);
    expect(reasonOf(failure)).toMatchObject({ code: 'no_response', cause: { name: 'TimeoutError' } });
  });

  it('is given up when its answer does not end in time', async () => {
    server.answer = (_request, response) => void response.writeHead(200, JSON_TYPE).write('{"a":"');
    const failure = await failureOf(ask({ timeoutMs: 100 }), secrets);
    expect(reasonOf(failure)).toMatchObject({ code: 'no_response', cause: { name: 'TimeoutError' } });
  });

  it('is given up when the caller aborts, for its reason', async () => {
    const controller = new AbortController();
    server.answer = () => controller.abort(new Error('the caller has other plans'));
    const failure = await failureOf(ask({ signal: controller.signal }), secrets);
    expect(failure.message).toBe('the caller has other plans');
  });

  it('is given up when it breaks off', async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' }).write('{"a":"');
      setImmediate(() => response.destroy());
    };
    expect(reasonOf(await failureOf(ask({}), secrets))).toMatchObject({
      code: 'no_response',
      message: `The ${name} at ${server.origin} has not answered.`,
    });
  });

  it('is asked for JSON', async () => {
    const accepted: unknown[] = [];
    server.answer = ({ headers }, response) => {
      accepted.push(headers.accept);
      response.writeHead(500).end();
    };
    await failureOf(ask({}), secrets);
    // What any request accepts is up to the app.
    expect(accepted).toEqual([name === 'requestUrl' ? '*/*' : expect.stringContaining('application/json')]);
  });

  it('is given up when its answer never ends', async () => {
    let written = 0;
    const closed = new Promise<void>((resolve) => {
      server.answer = (_request, response) => {
        response.once('close', resolve).writeHead(200, JSON_TYPE);
        written = 0;
        pour(response, (bytes) => (written += bytes));
      };
    });
    const failure = await failureOf(ask({}), secrets);
    expect(reasonOf(failure)).toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('larger than 1048576 bytes'),
    });
    await closed;
    // What the two sides hold back on the way is some megabytes at most.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('is given up when its answer unpacks to a huge one', async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb);
    };
    const failure = await failureOf(ask({}), secrets);
    expect(reasonOf(failure)).toMatchObject({ code: 'invalid_response' });
  });

  it.each([302, 307])('is not followed by a redirect with the status %i (RFC 9700 section 4.11)', async (status) => {
    const asked: string[] = [];
    server.answer = (request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status, { location: `${server.origin}/elsewhere` }).end();
    };
    const failure = await failureOf(ask({}), secrets);
    expect(reasonOf(failure)).toMatchObject({ code: 'invalid_response', info: { status } });
    expect(asked).toHaveLength(1);
    expect(asked).not.toContain('/elsewhere');
  });
});

/** Writes for as long as somebody reads. */
function pour(response: ServerResponse, onWritten: (bytes: number) => void): void {
  const part = 'x'.repeat(65_536);
  const write = (): void => {
    while (!response.destroyed) {
      onWritten(part.length);
      if (!response.write(part)) return;
    }
  };
  response.on('drain', write);
  write();
}
