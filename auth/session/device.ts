/** Sign-in on another device, for devices without a browser: `appkit-auth-session/device`. */
import { processDeviceAuthorizationResponse } from 'oauth4webapi';
import { abortReason } from './abort-reason.ts';
import { clientCredentials, withAuthMethod } from './client-credentials.ts';
import { assertEndpoint } from './endpoint.ts';
import type { GrantType } from './enumerations.ts';
import { TokenError } from './token-error.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { parseJsonObject } from './read-answer.ts';
import type { Answer, SendOptions } from './send.ts';
import { extensionEndpoint, readStandardAnswer, serverOf } from './standard-answer.ts';
import { askForTokens, extrasBeside, formHeaders, sendForm, sentIn, tokenForm } from './token-endpoint.ts';
import type { TokenRequestConfig } from './token-request-config.ts';
import { TokenResponse, toTokenResponseConfig } from './token-response.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

/** The codes to show to the user, and the code to request the tokens with. */
export interface DeviceAuthorization {
  /** Not shown to anybody. */
  deviceCode: string;
  /** What the user types on the page. */
  userCode: string;
  /** The page, short enough to be typed. */
  verificationUri: string;
  /** The page with the code in it, for a QR code. */
  verificationUriComplete?: string | undefined;
  /** How long the codes can be used, in seconds from {@link DeviceAuthorization.issuedAt} on. */
  expiresIn: number;
  /** How long to wait between two requests, in seconds. */
  interval: number;
  /** When they were received, in seconds since 1970 by this device's clock. */
  issuedAt: number;
}

/** A device code to be exchanged for tokens. */
export interface DeviceTokenRequestConfig extends TokenRequestConfig {
  /** The result of {@link requestDeviceCodeAsync}. */
  device: DeviceAuthorization;
}

// RFC 8628 section 3.4; no grant of the specification's enumeration.
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code' as GrantType;
// RFC 8628 sections 3.2 and 3.5.
const INTERVAL_SECONDS = 5;
const MAX_PAUSE_SECONDS = (2 ** 31 - 1) / 1000;

/**
 * Requests a code that the user types on another device.
 *
 * @param discovery – its `discoveryDocument` names the `device_authorization_endpoint`.
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without endpoint.
 * @see RFC 8628 section 3.1
 */
export async function requestDeviceCodeAsync(
  config: TokenRequestConfig,
  discovery: Pick<DiscoveryDocument, 'discoveryDocument'>,
  options: SendOptions = {},
): Promise<DeviceAuthorization> {
  const endpoint = extensionEndpoint(discovery, 'device_authorization_endpoint');
  const { clientId, clientSecret, extraParams, scopes = [] } = config;
  const client = withAuthMethod(config, discovery.discoveryDocument);
  const body = {
    ...clientCredentials(client).params,
    ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
    ...extrasBeside(extraParams, ['client_id', 'client_secret', 'scope']),
  };
  const form = { headers: formHeaders(client), body, clientSecret };
  const answer = await sendForm(form, endpoint, 'device_authorization_endpoint', options);
  const read = await readStandardAnswer(withUri(answer), {
    sent: sentIn(form),
    status: 200,
    check: (response) =>
      processDeviceAuthorizationResponse(serverOf(discovery.discoveryDocument), { client_id: clientId }, response),
  });
  assertEndpoint(read.verification_uri, 'verification_uri', options);
  if (read.verification_uri_complete !== undefined) {
    assertEndpoint(read.verification_uri_complete, 'verification_uri_complete', options);
  }
  return {
    deviceCode: read.device_code,
    userCode: read.user_code,
    verificationUri: read.verification_uri,
    verificationUriComplete: read.verification_uri_complete,
    expiresIn: read.expires_in,
    interval: read.interval ?? INTERVAL_SECONDS,
    issuedAt: getCurrentTimeInSeconds(),
  };
}

// Google writes verification_url, as the first drafts of the standard did.
function withUri(answer: Answer): Answer {
  const { verification_url: url, ...fields } = parseJsonObject(answer.text) ?? {};
  if (url === undefined || fields['verification_uri'] !== undefined) return answer;
  return { ...answer, text: JSON.stringify({ ...fields, verification_uri: url }) };
}

/**
 * Waits until the user has signed in on the other device, and returns the tokens. The server is polled as often as it
 * allows, and again when it cannot be reached or has failed, each time after a longer pause.
 *
 * @param options – its `signal` ends the wait.
 * @throws TokenError with code `access_denied` when the user has refused, `expired_token` when the time is over, or another
 *   that the server answers with; the reason of the signal when it is aborted; otherwise as `exchangeCodeAsync`.
 * @see RFC 8628 sections 3.4 and 3.5
 */
export async function exchangeDeviceCodeAsync(
  { device, ...config }: DeviceTokenRequestConfig,
  discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
  options: SendOptions = {},
): Promise<TokenResponse> {
  const form = tokenForm(withAuthMethod(config, discovery.discoveryDocument), DEVICE_CODE, {
    device_code: device.deviceCode,
  });
  const { clientId } = config;
  const fields = await poll(device, () => askForTokens(form, discovery, { clientId }, options), options.signal);
  return new TokenResponse(toTokenResponseConfig(fields), fields);
}

async function poll<T>(
  { expiresIn, interval, issuedAt }: DeviceAuthorization,
  ask: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let seconds = interval; ;) {
    // Timers cannot wait longer, and waiting beyond the expiry is pointless.
    await pause(
      Math.min(seconds, MAX_PAUSE_SECONDS, Math.max(issuedAt + expiresIn - getCurrentTimeInSeconds(), 0)),
      signal,
    );
    if (getCurrentTimeInSeconds() >= issuedAt + expiresIn) throw new TokenError({ error: 'expired_token' });
    try {
      return await ask();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === 'slow_down') seconds += INTERVAL_SECONDS;
      // A server that does not answer is polled less often.
      else if (isPassing(error)) seconds *= 2;
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

// RFC 8628 section 3.5: a lost connection or a failing server says nothing about the user's decision.
function isPassing(error: unknown): boolean {
  const { code, info } = error as { code?: unknown; info?: { status?: unknown } };
  if (code === 'invalid_response') return Number(info?.status) >= 500;
  return code === 'no_response' || code === 'server_error' || code === 'temporarily_unavailable';
}

async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  // React Native has no throwIfAborted.
  if (signal?.aborted) throw abortReason(signal);
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      if (signal) reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
