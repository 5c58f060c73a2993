import { expect, it } from 'vitest';
import { claimsOf, headerOf } from './id-token-claims.ts';

it('reads claims in any script, of which Base64 for URLs writes some with - and _', () => {
  const claims = { sub: 'ÿ?>~ÿ?>~', name: 'Łukasz 山田' };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  expect(payload).toMatch(/-.*_|_.*-/);
  expect(claimsOf(`e30.${payload}.`)).toEqual(claims);
  expect(headerOf(`${payload}.e30.`)).toEqual(claims);
});

it.each([
  '',
  'e30',
  'e30.',
  'e30.e30=.',
  'e30.e3+0.',
  'e30.!.',
  'e30.e30!.',
  'e30.!e30.',
  'e30.e30 .',
  'e30.e.',
  'e30.W10.',
])('reads no claims from %j (RFC 7515 section 2)', (idToken) => {
  const message = 'The id_token is not one for this client and request: it is not a JSON Web Token.';
  expect(() => claimsOf(idToken)).toThrow(expect.objectContaining({ code: 'invalid_id_token', message }));
});
