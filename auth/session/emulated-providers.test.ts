import { createEmulator } from 'emulate';
import { expect, it } from 'vitest';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { createSessionServer } from './server.ts';
import type { OAuthSessionServerOptions, SessionServer, SessionServerOptions } from './server.ts';

const redirect_uris = [`${APP}/auth/callback`];
const client = { client_id: 'client', client_secret: 'secret', name: 'App', redirect_uris };
const secret = { clientId: 'client', clientSecret: 'secret' };
// These emulators do not read a secret in the header.
const inBody = { clientAuthMethod: 'client_secret_post' } as const;

type Provider =
  | (Partial<SessionServerOptions> & Pick<SessionServerOptions, 'issuer'>)
  | (Partial<OAuthSessionServerOptions> & Pick<OAuthSessionServerOptions, 'discovery' | 'readUser'>);

/** The provider of a case, with one user and our client, and what the guide sets for it. */
interface Case {
  seed: Record<string, unknown>;
  options: (url: string) => Provider;
  claims: object;
  /** What the URL of the provider has. */
  asked: string;
}

const cases: Record<'apple' | 'github' | 'google' | 'microsoft' | 'okta', Case> = {
  apple: {
    seed: {
      users: [{ email: 'ada@example.test', name: 'Ada Lovelace' }],
      oauth_clients: [{ ...client, team_id: 'TEAM123456' }],
    },
    options: (issuer) => ({
      issuer,
      clientSecret: undefined,
      clientAuth: async () => ({ client_secret: 'not looked at' }),
      scopes: ['openid', 'email', 'name'],
      extraParams: { response_mode: 'form_post' },
      postedName: true,
    }),
    claims: { email: 'ada@example.test', email_verified: true, name: 'Ada Lovelace' },
    asked: 'response_mode=form_post',
  },
  github: {
    seed: { users: [{ login: 'ada', name: 'Ada', email: 'ada@example.test' }], oauth_apps: [client] },
    options: (url) => ({
      ...inBody,
      discovery: {
        authorizationEndpoint: `${url}/login/oauth/authorize`,
        tokenEndpoint: `${url}/login/oauth/access_token`,
      },
      scopes: ['read:user'],
      async readUser(accessToken) {
        const response = await fetch(`${url}/user`, { headers: { authorization: `Bearer ${accessToken}` } });
        const { id, login } = (await response.json()) as { id: number; login: string };
        return { subject: String(id), claims: { login } };
      },
    }),
    claims: { login: 'ada' },
    asked: 'scope=read%3Auser',
  },
  google: {
    seed: { users: [{ email: 'ada@example.test', name: 'Ada', email_verified: true }], oauth_clients: [client] },
    options: (issuer) => ({
      ...inBody,
      issuer,
      scopes: ['openid', 'email', 'profile'],
      prompt: 'consent',
      extraParams: { access_type: 'offline' },
    }),
    claims: { email: 'ada@example.test', email_verified: true, name: 'Ada' },
    asked: 'access_type=offline',
  },
  microsoft: {
    seed: { users: [{ email: 'ada@example.test', name: 'Ada' }], oauth_clients: [client] },
    // That of private accounts.
    options: (url) => ({
      issuer: `${url}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`,
      scopes: ['openid', 'email', 'offline_access'],
    }),
    claims: { email: 'ada@example.test', name: 'Ada' },
    asked: 'scope=openid+email+offline_access',
  },
  okta: {
    seed: {
      users: [{ login: 'ada', email: 'ada@example.test', first_name: 'Ada', last_name: 'L' }],
      oauth_clients: [client],
    },
    options: (issuer) => ({ issuer, scopes: ['openid', 'email', 'offline_access'] }),
    claims: { email: 'ada@example.test', email_verified: true, name: 'Ada L' },
    asked: 'scope=openid+email+offline_access',
  },
};

it.each(Object.entries(cases))('signs in at the emulator of %s as the guide says', async (service, each) => {
  const emulator = await createEmulator({
    service: service as keyof typeof cases,
    port: 0,
    seed: { [service]: each.seed },
  });
  try {
    const secrets = ['a secret of the tests, long enough'];
    const server = createSessionServer({ ...secret, secrets, ...each.options(emulator.url) });
    const user = startUserAgent();
    const begun = await user.open(server.GET, '/auth/sign-in?returnTo=/account');
    expect(begun.headers.get('location')).toContain(each.asked);
    const { back, isPosted } = await choose(begun.headers.get('location') ?? '', user, server);
    expect([isPosted, back.status, back.headers.get('location')]).toEqual([service === 'apple', 303, `${APP}/account`]);
    expect(await server.read(user.request('/'))).toMatchObject({
      subject: expect.stringMatching(/./),
      claims: each.claims,
      accessToken: expect.stringMatching(/./),
    });
  } finally {
    await emulator.close();
  }
});

/** The user chooses who they are, on a page with a form for each. */
async function choose(
  url: string,
  user: UserAgent,
  server: SessionServer,
): Promise<{ back: Response; isPosted: boolean }> {
  const picked = formOf(await (await fetch(url)).text());
  const chosen = await fetch(new URL(picked.action, url), { method: 'POST', body: picked.body, redirect: 'manual' });
  const location = chosen.headers.get('location');
  if (location !== null) return { back: await user.open(server.GET, location), isPosted: false };
  // The provider's page posts its answer, without the cookies of the app, which are Lax.
  const { action, body } = formOf(await chosen.text());
  const posted = await server.POST(new Request(action, { method: 'POST', body }));
  return { back: await user.open(server.GET, posted.headers.get('location') ?? ''), isPosted: true };
}

/** The form for Ada, or the only one. */
function formOf(html: string): { action: string; body: URLSearchParams } {
  const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((text) => text.includes('ada')) ?? forms[0] ?? '';
  const [, action = ''] = / action="([^"]*)"/.exec(form) ?? [];
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: decoded(action),
    body: new URLSearchParams(fields.map(([, name, value]) => [decoded(name), decoded(value)])),
  };
}

function decoded(html = ''): string {
  return html.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
