import { expect, it } from 'vitest';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { startUserAgent } from './fixtures/user-agent.ts';
import { createSessionServer } from './server.ts';

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs in at a provider that writes these claims, and returns those of the session. */
async function claimsWith(written: { idToken?: object; userInfo?: object }): Promise<object | undefined> {
  await using provider = await startAnsweringServer();
  const { origin: issuer } = provider;
  let nonce: string | null = null;
  provider.answer = (request, response) => {
    const now = Math.floor(Date.now() / 1000);
    const token = { iss: issuer, aud: 'client', sub: 'ada', iat: now, exp: now + 600, nonce, ...written.idToken };
    const answers: Record<string, object> = {
      '/token': {
        access_token: 'a',
        token_type: 'Bearer',
        id_token: `${base64({ alg: 'RS256' })}.${base64(token)}.c2ln`,
      },
      '/user': { sub: 'ada', ...written.userInfo },
    };
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/user`,
    };
    json(200, answers[request.url ?? ''] ?? metadata)(request, response);
  };
  const secrets = ['a secret of the tests, long enough'];
  const claims = ['email_verified', 'phone_number_verified', 'nickname', 'old_email_verified', 'email_verified_by'];
  const server = createSessionServer({ issuer, clientId: 'client', secrets, claims });
  const user = startUserAgent();
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  nonce = asked.get('nonce');
  await user.open(server.GET, `/auth/callback?code=c&state=${asked.get('state')}`);
  return (await server.read(user.request('/')))?.claims;
}

it.each(['email_verified', 'phone_number_verified'])(
  'keeps %s as a boolean, though a provider may write it as text (OpenID Connect Core section 5.1)',
  async (name) => {
    for (const [value, kept] of [
      ['true', true],
      ['false', false],
      ['', false],
      [true, true],
      [false, false],
    ]) {
      expect(await claimsWith({ idToken: { [name as string]: value } })).toEqual({ [name as string]: kept });
      expect(await claimsWith({ userInfo: { [name as string]: value } })).toEqual({ [name as string]: kept });
    }
  },
);

it('keeps any other claim as it is written', async () => {
  const written = { nickname: 'true', old_email_verified: 'true', email_verified_by: 'Ada' };
  expect(await claimsWith({ userInfo: written })).toEqual(written);
});
