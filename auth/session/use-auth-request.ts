import { useCallback, useEffect, useRef, useState } from 'react';
import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig, AuthRequestPromptOptions } from './auth-request-config.ts';
import type { AuthSessionResult, CompletedAuthSessionResult } from './auth-session-result.ts';
import { refusal } from './check-answer.ts';
import { codedTypeError } from './coded-error.ts';
import { isOffline } from './is-offline.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

/** Opens the browser for the user to sign in. Call it in the click itself. */
export type PromptAsync = (options?: AuthRequestPromptOptions) => Promise<AuthSessionResult>;

/**
 * Makes an authorization request while a component is shown.
 *
 * @returns the request, null until it can be prompted; the result of the latest prompt, null until there is one; and the
 *   function that prompts.
 */
export function useAuthRequest(
  config: AuthRequestConfig,
  discovery: DiscoveryDocument | null,
): [AuthRequest | null, AuthSessionResult | null, PromptAsync] {
  const request = useLoadedAuthRequest(config, discovery, AuthRequest);
  const [result, promptAsync] = useAuthRequestResult(request, discovery);
  return [request, result, promptAsync];
}

/**
 * Creates an authorization request of your own class while a component is shown, again when the configuration changes.
 *
 * A failure is thrown in the next rendering, for an error boundary to show.
 *
 * @returns the request with its URL; null until it is ready.
 */
export function useLoadedAuthRequest(
  config: AuthRequestConfig,
  discovery: DiscoveryDocument | null,
  AuthRequestInstance: typeof AuthRequest,
): AuthRequest | null {
  const [outcome, setOutcome] = useState<Loaded | null>(null);
  // Configurations are written inline, so each rendering has a new object with the same content.
  const key = JSON.stringify([config, discovery?.authorizationEndpoint, discovery?.discoveryDocument?.issuer]);
  useEffect(() => {
    if (discovery === null) return undefined;
    let isCurrent = true;
    load(AuthRequestInstance, config, discovery).then(
      (request) => isCurrent && setOutcome({ key, of: AuthRequestInstance, request }),
      (error: Error) => isCurrent && setOutcome({ key, of: AuthRequestInstance, error }),
    );
    return () => {
      isCurrent = false;
    };
    // The key contains the content of both.
  }, [key, discovery === null, AuthRequestInstance]);
  if (discovery === null || outcome?.key !== key || outcome.of !== AuthRequestInstance) return null;
  if (outcome.error) throw outcome.error;
  return outcome.request ?? null;
}

/**
 * Prompts with a request while a component is shown. If the browser cannot be opened, such as for a blocked popup, the
 * result has the type `error`; the caller's mistakes are thrown, as TypeError.
 *
 * @param customOptions – for each prompt; the options of the call take precedence.
 * @returns the result of the latest prompt with this request, null until there is one; and the function that prompts.
 */
export function useAuthRequestResult(
  request: AuthRequest | null,
  discovery: DiscoveryDocument | null,
  customOptions: AuthRequestPromptOptions = {},
): [AuthSessionResult | null, PromptAsync] {
  const [outcome, setOutcome] = useState<{ of: AuthRequest; result: AuthSessionResult } | null>(null);
  const latest = useRef({ request, customOptions });
  useEffect(() => {
    latest.current = { request, customOptions };
  });
  const promptAsync = useCallback<PromptAsync>(
    async (options = {}) => {
      if (request === null || discovery === null) {
        throw codedTypeError(
          'ERR_AUTH_NOT_READY',
          'The request is not ready yet: its discovery document or URL is missing. Disable the button while the request is null.',
        );
      }
      const { windowFeatures, ...rest } = latest.current.customOptions;
      const features =
        (windowFeatures ?? options.windowFeatures) ? { ...windowFeatures, ...options.windowFeatures } : undefined;
      const prompted = { ...rest, ...options, windowFeatures: features };
      const ended = await request.promptAsync(discovery, prompted).catch(toFailed);
      // The user closes a popup that could not load its page, and may not know why.
      const result = ended.type === 'cancel' && isOffline() ? toFailed(offline) : ended;
      // A late result must not replace the result of the currently shown request.
      if (latest.current.request === request) setOutcome({ of: request, result });
      return result;
    },
    [request, discovery],
  );
  return [outcome?.of === request ? outcome.result : null, promptAsync];
}

const offline = {
  code: 'no_response',
  message: 'This device is offline, so the sign-in could not end. Try again when it is online.',
};

function toFailed(cause: { code: string; message: string }): CompletedAuthSessionResult {
  if (cause instanceof TypeError) throw cause;
  const { code, message } = cause;
  const error = Object.assign(refusal(code, message, {}), { cause });
  const event = Object.freeze({ type: 'redirect', url: '', timestamp: Date.now() } as const);
  return { type: 'error', authentication: null, error, errorCode: code, event, params: {}, url: '' };
}

/** The state of a loaded request, and its configuration. */
interface Loaded {
  key: string;
  of: typeof AuthRequest;
  request?: AuthRequest;
  error?: Error;
}

async function load(
  AuthRequestInstance: typeof AuthRequest,
  config: AuthRequestConfig,
  discovery: DiscoveryDocument,
): Promise<AuthRequest> {
  const request = new AuthRequestInstance(config);
  await request.makeAuthUrlAsync(discovery);
  return request;
}
