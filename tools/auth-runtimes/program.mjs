// The program that runs in every runtime: a sign-in from discovery to revocation, and the packages' cryptography.
import {
  AuthRequest,
  exchangeCodeAsync,
  fetchDiscoveryAsync,
  fetchUserInfoAsync,
  loadAsync,
  revokeAsync,
} from 'appkit-auth-session/core';
import { digestStringAsync, getRandomBytes, randomUUID } from 'appkit-crypto';

/**
 * Signs in and reports the result of each step.
 *
 * @param {string} issuer - of the provider, which has the clients `public` and `implicit`
 * @param {string} user - `<user>/visit?url=…` signs in there and answers with the return URL; `<user>/slow` does not answer;
 *   `<user>/redirect` redirects
 */
export async function signIn(issuer, user) {
  const visit = async (url) => (await fetch(`${user}/visit?url=${encodeURIComponent(url)}`)).text();
  const codeOf = (call) =>
    call.then(
      () => 'no error',
      (error) => error.code,
    );

  const discovery = await fetchDiscoveryAsync(issuer);
  const scopes = ['openid', 'email', 'offline_access'];
  const config = { clientId: 'public', redirectUri: 'http://127.0.0.1/callback', scopes, prompt: 'consent' };
  const request = await loadAsync(config, discovery);
  const digest = await digestStringAsync('SHA-256', request.codeVerifier, { encoding: 'base64' });
  const challenge = digest.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const result = await request.parseReturnUrlAsync(await visit(request.url));
  const tokens = await request.exchangeAsync(result, discovery);
  const claims = await fetchUserInfoAsync(tokens, discovery);
  const { accessToken, refreshToken } = tokens;
  await tokens.refreshAsync({ clientId: 'public' }, discovery);
  const isRevoked = await revokeAsync({ clientId: 'public', token: tokens.accessToken }, discovery);

  const replayed = await loadAsync(config, discovery);
  const { params } = await replayed.parseReturnUrlAsync(await visit(replayed.url));
  const { clientId, codeVerifier, redirectUri } = replayed;
  const withAnotherNonce = { clientId, code: params.code, codeVerifier, redirectUri, nonce: 'another' };

  const implicit = new AuthRequest({
    clientId: 'implicit',
    redirectUri: 'https://app.example/callback',
    responseType: 'id_token',
    scopes: ['openid'],
    usePKCE: false,
  });
  const returned = await implicit.parseReturnUrlAsync(await visit(await implicit.makeAuthUrlAsync(discovery)));

  return {
    hasChallenge: new URL(request.url).searchParams.get('code_challenge') === challenge,
    result: result.type,
    tokenType: tokens.tokenType,
    claims,
    isRotated: tokens.accessToken !== accessToken && tokens.refreshToken !== refreshToken,
    isRevoked,
    afterwards: await codeOf(fetchUserInfoAsync(tokens, discovery)),
    idTokenOfAnotherRequest: await codeOf(exchangeCodeAsync(withAnotherNonce, discovery)),
    idTokenInUrl: returned.type,
    slow: await codeOf(fetchUserInfoAsync(tokens, { userInfoEndpoint: `${user}/slow` }, { timeoutMs: 200 })),
    redirected: await codeOf(fetchUserInfoAsync(tokens, { userInfoEndpoint: `${user}/redirect` })),
    digest: await digestStringAsync('SHA-256', 'abc'),
    isUuid: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(randomUUID()),
    bytes: getRandomBytes(16).length,
  };
}
