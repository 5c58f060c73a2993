import { platform } from 'appkit-web-browser';
import type { Platform } from 'appkit-web-browser';
import { useCallback, useState } from 'react';
import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig, AuthRequestPromptOptions } from './auth-request-config.ts';
import type { AuthSessionResult, CompletedAuthSessionResult } from './auth-session-result.ts';
import { refusal } from './check-answer.ts';
import { codedTypeError } from './coded-error.ts';
import { ResponseType } from './enumerations.ts';
import { AuthError } from './errors.ts';
import { TokenError } from './token-error.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { useAuthRequestResult, useLoadedAuthRequest } from './use-auth-request.ts';
import type { PromptAsync } from './use-auth-request.ts';

/** The client ids that a provider assigns for each platform. */
export interface PlatformClients {
  clientId?: string | undefined;
  androidClientId?: string | undefined;
  iosClientId?: string | undefined;
  webClientId?: string | undefined;
}

/** Whether the app was installed, not loaded as a page. */
export function isInstalled(on: Platform): boolean {
  return on === 'android' || on === 'ios';
}

/** Gives the client id for a platform. @throws TypeError with code `ERR_AUTH_ARGUMENT` when there is none. */
export function chooseClientId(clients: PlatformClients, provider: string, on: Platform = platform): string {
  const name = isInstalled(on) ? (`${on}ClientId` as 'androidClientId' | 'iosClientId') : 'webClientId';
  const clientId = clients[name] ?? clients.clientId;
  if (clientId) return clientId;
  throw codedTypeError('ERR_AUTH_ARGUMENT', `The request to ${provider} has no ${name}, and no clientId in its place.`);
}

/** The requested scopes and those that a provider always needs, without duplicates. */
export function mergeScopes(given: readonly string[] = [], required: readonly string[]): string[] {
  return [...new Set([...given, ...required])];
}

/** The consequences of a response type: without a code, no verifier is sent. */
export function toFlow(responseType: string): Pick<AuthRequestConfig, 'responseType' | 'usePKCE'> {
  return { responseType, usePKCE: responseType.split(' ').includes(ResponseType.Code) };
}

/** As `useAuthRequest`; and where `exchanges`, the result of a sign-in has the tokens for its code, or why there are none. */
export function useProviderRequest(
  config: AuthRequestConfig,
  { discovery, exchanges, ...options }: AuthRequestPromptOptions & { discovery: DiscoveryDocument; exchanges: boolean },
): [AuthRequest | null, AuthSessionResult | null, PromptAsync] {
  const request = useLoadedAuthRequest(config, discovery, AuthRequest);
  const [answer, promptForAnswer] = useAuthRequestResult(request, discovery, options);
  const [exchanged, setExchanged] = useState<{ of: AuthSessionResult; result: AuthSessionResult } | null>(null);
  const promptAsync = useCallback<PromptAsync>(
    async (given) => {
      const answered = await promptForAnswer(given);
      if (request === null || !exchanges || !hasCode(answered)) return answered;
      const result = await exchange(request, { answered, discovery });
      setExchanged({ of: answered, result });
      return result;
    },
    [request, promptForAnswer, exchanges, discovery],
  );
  // While its code is exchanged, an answer is not shown. A late result does not belong to the shown answer.
  const result = answer === exchanged?.of ? (exchanged?.result ?? null) : null;
  return [request, answer !== null && exchanges && hasCode(answer) ? result : answer, promptAsync];
}

function hasCode(answer: AuthSessionResult): answer is CompletedAuthSessionResult {
  return answer.type === 'success' && answer.authentication === null && answer.params['code'] !== undefined;
}

async function exchange(
  request: AuthRequest,
  { answered, discovery }: { answered: CompletedAuthSessionResult; discovery: DiscoveryDocument },
): Promise<CompletedAuthSessionResult> {
  try {
    const authentication = await request.exchangeAsync(answered, discovery);
    const { accessToken, idToken } = authentication;
    const tokens = { access_token: accessToken, ...(idToken === undefined ? {} : { id_token: idToken }) };
    return { ...answered, authentication, params: { ...answered.params, ...tokens } };
  } catch (cause) {
    const error = toAuthError(cause, answered.params);
    return { ...answered, type: 'error', error, errorCode: error.code };
  }
}

function toAuthError(cause: unknown, params: Record<string, string>): AuthError {
  const error =
    cause instanceof TokenError
      ? new AuthError({ ...cause.params, error: cause.code })
      : refusal('exchange_failed', `The code could not be exchanged: ${String(Object(cause).message)}`, params);
  error.cause = cause;
  return error;
}
