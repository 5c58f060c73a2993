import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { errors, Provider } from 'oidc-provider';
import { Memory } from './memory.ts';
import { messagePage, signInPage, signOutPage } from './pages.ts';
import { users } from './users.ts';

/** A provider on this machine, for development. */
export interface LocalProvider {
  issuer: string;
  stop(): Promise<void>;
}

/** The only client that it knows. */
export interface Client {
  clientId: string;
  clientSecret: string;
}

// The app may be opened with either name. The provider ignores the port of a native client on this machine (RFC 8252
// section 7.3), so it need not know which port the app gets.
const ORIGINS = ['http://localhost', 'http://127.0.0.1'];
const HOUR = 60 * 60;

/** Starts a provider on a free port. All its data is lost when it stops. */
export async function startLocalProvider(client: Client): Promise<LocalProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a string only for a pipe
  const provider = createProvider(issuer, client);
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void signIn(provider, request, response);
    else handle(request, response);
  });
  return {
    issuer,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function createProvider(issuer: string, { clientId, clientSecret }: Client): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    adapter: Memory,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        application_type: 'native',
        redirect_uris: ORIGINS.map((origin) => `${origin}/auth/callback`),
        post_logout_redirect_uris: ORIGINS.map((origin) => `${origin}/auth/signed-out`),
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    findAccount: (_, id) => {
      const user = users.find((user) => user.id === id);
      return user && { accountId: id, claims: async () => ({ sub: id, name: user.name, email: user.email }) };
    },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      Grant: 24 * HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 24 * HOUR,
      Session: 24 * HOUR,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: true, logoutSource: (context, form) => void (context.body = signOutPage(form)) },
    },
    renderError: (context, { error, error_description: description = '' }) => {
      context.type = 'html';
      context.body = messagePage(error, description);
    },
  });
}

/** GET shows who can sign in; POST signs the chosen user in, and grants everything that the app requests. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { params } = await provider.interactionDetails(request, response);
    const { client_id: clientId, scope } = params as { client_id: string; scope: string }; // checked by the provider
    if (request.method !== 'POST') return show(response, 200, signInPage({ clientId, scopes: scope.split(' ') }));

    const chosen = new URLSearchParams(await text(request)).get('user');
    const user = users.find(({ id }) => id === chosen);
    if (!user) return await provider.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new provider.Grant({ accountId: user.id, clientId });
    grant.addOIDCScope(scope);
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { login: { accountId: user.id }, consent });
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) console.error(error);
    show(response, 400, messagePage('Sign in again', 'This sign-in has ended. Begin again in the app.'));
  }
}

function show(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html);
}
