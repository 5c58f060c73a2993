import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

// The names of the specification's Area A, in the order of the alphabet.
const values = [
  'AccessTokenRequest',
  'AuthError',
  'AuthRequest',
  'CodeChallengeMethod',
  'GrantType',
  'Prompt',
  'RefreshTokenRequest',
  'Request',
  'ResponseError',
  'ResponseType',
  'RevokeTokenRequest',
  'TokenError',
  'TokenRequest',
  'TokenResponse',
  'TokenTypeHint',
  'dismiss',
  'exchangeCodeAsync',
  'fetchDiscoveryAsync',
  'fetchUserInfoAsync',
  'getCurrentTimeInSeconds',
  'getDefaultReturnUrl',
  'getRedirectUrl',
  'issuerWithWellKnownUrl',
  'loadAsync',
  'makeRedirectUri',
  'refreshAsync',
  'requestAsync',
  'resolveDiscoveryAsync',
  'revokeAsync',
];
const hooks = ['useAuthRequest', 'useAuthRequestResult', 'useAutoDiscovery', 'useLoadedAuthRequest'];
const types = [
  'AccessTokenRequestConfig',
  'AuthErrorConfig',
  'AuthRequestConfig',
  'AuthRequestPromptOptions',
  'AuthSessionRedirectUriOptions',
  'AuthSessionResult',
  'DiscoveryDocument',
  'FetchRequest',
  'Headers',
  'Issuer',
  'IssuerOrDiscovery',
  'ProviderAuthRequestConfig',
  'ProviderMetadata',
  'ProviderMetadataEndpoints',
  'RefreshTokenRequestConfig',
  'ResponseErrorConfig',
  'RevokeTokenRequestConfig',
  'ServerTokenResponseConfig',
  'TokenRequestConfig',
  'TokenResponseConfig',
  'TokenType',
  'UserInfo',
];

/** What is exported beyond that, with the reason. */
const extraValues = {
  isAuthSessionUrl: 'what handles the links of an app leaves those of a sign-in alone by it',
  setAppContext: 'what an app in React Native is, where no module of Expo says so',
  endSessionAsync: 'signs the user out at the provider (OpenID Connect RP-Initiated Logout 1.0)',
  makeEndSessionUrl: 'the URL of that, for an app that opens it by itself',
  maybeCompleteAuthSession: 'the page that is returned to needs no second import (decision A17)',
};
const extraTypes = {
  AppContext: 'the type of what setAppContext takes',
  ClientAuth: 'the type of the option clientAuth, by which a server signs who it is',
  ClientAuthMethod: 'the type of clientAuthMethod, for a provider that wants the secret in the body',
  CompletedAuthSessionResult: 'the type of parseReturnUrl, which the specification describes without a name',
  DiscoveryOptions: 'the type of what fetchDiscoveryAsync takes besides: signal, time-out, acceptIssuer',
  EndSessionConfig: 'the type of what endSessionAsync takes',
  EndSessionResult: 'the type of what endSessionAsync gives',
  FacebookAuthRequestConfig: 'a configuration of an identity provider, which the specification leaves without a name',
  GoogleAuthRequestConfig: 'a configuration of an identity provider, which the specification leaves without a name',
  KeyProof: 'the type of the option dpop, which a key of another kind can have as well',
  RedirectEvent: 'the type of event, whose fields the specification leaves open (decision A14)',
  SendOptions: 'the type of what every request takes besides: signal, time-out, allowInsecureRequests',
  SimpleAuthSessionResult: 'a session without an answer, which the specification describes without a name',
  UnusableAnswer: 'the type of info, whose fields the specification leaves open',
};
const extraHookTypes = {
  AutoDiscoveryOptions: 'the type of what useAutoDiscovery takes besides: onError, acceptIssuer, allowInsecureRequests',
  PromptAsync: 'the type of promptAsync, for a component that is given it',
};

it('exports the functions, classes, enumerations and hooks of the specification, and no others without a reason', async () => {
  expect(Object.keys(await import('./core.ts')).toSorted()).toEqual(
    [...values, ...Object.keys(extraValues)].toSorted(),
  );
  expect(Object.keys(await import('./index.ts')).toSorted()).toEqual(
    [...values, ...hooks, ...Object.keys(extraValues)].toSorted(),
  );
});

it('exports the types of the specification, and no others without a reason', async () => {
  const core = [...types, ...Object.keys(extraTypes)];
  expect(await typesOf('core.ts')).toEqual(core.toSorted());
  expect(await typesOf('index.ts')).toEqual(Object.keys(extraHookTypes));
});

/** The names in the `export type { … }` of a file, in the order of the alphabet. */
async function typesOf(file: string): Promise<string[]> {
  const source = await readFile(new URL(file, import.meta.url), 'utf8');
  const lists = Array.from(source.matchAll(/^export type \{([^}]*)\}/gm), ([, list = '']) => list);
  return lists
    .flatMap((list) => list.split(',').map((name) => name.trim()))
    .filter((name) => name !== '')
    .toSorted();
}
