import { abortReason } from './abort-reason.ts';
import { assertNumber, codedTypeError } from './coded-error.ts';
import { assertEndpoint } from './endpoint.ts';
import { ResponseError } from './errors.ts';
import { isOffline } from './is-offline.ts';

/** How a request is sent. */
export interface SendOptions {
  /** Ends the request when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Ends the request after this many milliseconds, including the reading of the answer. Default: 30000. */
  timeoutMs?: number | undefined;
  /**
   * Lets endpoints be http on hosts other than this machine, which shows every secret and token to the network. For a
   * development server. Default: `false`.
   */
  allowInsecureRequests?: boolean | undefined;
  /**
   * How far the provider's clock may be from this one where an id_token is checked, in seconds, at most 300. Default: 300
   * for times in the future, as the clocks of devices are often slow, and 30 for what has expired.
   */
  clockToleranceSeconds?: number | undefined;
  /**
   * The key that the tokens are bound to: the result of `createDPoPAsync()` of `appkit-auth-session/dpop` (RFC 9449).
   */
  dpop?: KeyProof | undefined;
  /**
   * How a client on a server authenticates instead of sending a secret: the result of `privateKeyJwt()` or
   * `clientSecretJwt()` of `appkit-auth-session/client-auth` (RFC 7523).
   */
  clientAuth?: ClientAuth | undefined;
}

/** Returns the parameters that authenticate the client, for a form that is about to be sent. */
export type ClientAuth = (form: {
  /** Where the form is sent. */
  url: string;
  body: Record<string, string>;
  clientSecret?: string | undefined;
}) => Promise<Record<string, string>>;

/** Proves that a client has a key. */
export interface KeyProof {
  /**
   * Returns the header `DPoP` of a request. For a request with an access token, the header `Authorization` is `DPoP
   * <token>`.
   */
  proveAsync(request: { method: string; url: string; accessToken?: string | undefined }): Promise<string>;
  /**
   * Reads a nonce from an answer. Returns `true` if the server requires it in the proof, so that the request must be
   * sent again.
   */
  readAnswer(url: string, answer: Pick<Answer, 'headers' | 'status' | 'text'>): boolean;
}

/** A request that is sent once, or twice for a nonce. */
export interface Outgoing {
  method: string;
  headers: Record<string, string>;
  /** Creates the body, again for each attempt: a signature in it is accepted only once. */
  body?: (() => string | Promise<string>) | undefined;
  /** The access token in the headers, which a proof contains. */
  accessToken?: string | undefined;
  /** The name of the setting that contains the URL, for the error if the URL is invalid. */
  endpoint: string;
}

/** A completely read answer. */
export interface Answer {
  status: number;
  /** Whether the status is 2xx. */
  ok: boolean;
  headers: globalThis.Headers;
  contentType: string;
  text: string;
}

// The longest time of a timer.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
// Token answers have a few kilobytes; a discovery document may have tens.
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends a request to a provider. Redirects are not followed: they would send codes and secrets elsewhere (RFC 9700
 * section 4.11).
 *
 * @throws TypeError for an invalid URL or header; ResponseError with code `no_response` when there is no answer in
 *   time, and for one that is too large; the reason of the signal when it is aborted.
 */
export async function send(url: string, outgoing: Outgoing, options: SendOptions = {}): Promise<Answer> {
  assertEndpoint(url, outgoing.endpoint, options);
  const { clockToleranceSeconds, dpop, signal, timeoutMs = 30_000 } = options;
  assertNumber('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS);
  assertNumber('clockToleranceSeconds', clockToleranceSeconds, 0, 300);
  // React Native has neither `any` nor `timeout`. Safari before 17.4 and Firefox before 124 have no `any`.
  const late: AbortSignal | undefined = 'any' in AbortSignal ? AbortSignal.timeout?.(timeoutMs) : undefined;
  // Node 20 garbage-collects a signal that only `any` listens to. Deno keeps running until the signal
  // is aborted, if it still has a listener then.
  const listen = (): void => {};
  late?.addEventListener('abort', listen);
  const ends = late
    ? AbortSignal.any([late, ...(signal ? [signal] : [])])
    : (await import('./limited-signal.ts')).limitedSignal(timeoutMs, signal);
  try {
    let answer = await sendOnce(url, outgoing, dpop, ends);
    if (dpop?.readAnswer(url, answer)) {
      // RFC 9449 section 8: once more, with the nonce from the server.
      answer = await sendOnce(url, outgoing, dpop, ends);
      dpop.readAnswer(url, answer);
    }
    return answer;
  } catch (error) {
    // The caller knows the reason of its own abort.
    throw signal?.aborted ? abortReason(signal) : error;
  } finally {
    late?.removeEventListener('abort', listen);
  }
}

async function sendOnce(
  url: string,
  outgoing: Outgoing,
  dpop: KeyProof | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { accessToken, endpoint, method } = outgoing;
  const proof = dpop && { DPoP: await dpop.proveAsync({ method, url, accessToken }) };
  const sent = { ...outgoing, body: await outgoing.body?.(), headers: { ...outgoing.headers, ...proof } };
  const request = toRequest(url, sent, signal);
  try {
    const response = await fetch(request);
    const head = {
      status: response.status,
      ok: response.ok,
      headers: response.headers,
      contentType: (response.headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase(),
    };
    return { ...head, text: await readText(response, head) };
  } catch (cause) {
    if (cause instanceof ResponseError) throw cause;
    const text = `The ${endpoint} at ${new URL(url).origin} has not answered${signal.aborted ? ' in time' : likelyCause()}.`;
    throw Object.assign(new ResponseError({ error: 'no_response' }, text), { cause });
  }
}

// A page cannot find out more. This module is not loaded on demand, since that could fail too.
function likelyCause(): string {
  if (isOffline()) return ': this device is offline';
  return typeof document === 'undefined' ? '' : `: it is down, or lacks CORS for ${origin}`;
}

function toRequest(
  url: string,
  { body = null, endpoint, headers, method }: Omit<Outgoing, 'body'> & { body?: string | null | undefined },
  signal: AbortSignal,
): Request {
  try {
    return new Request(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
  } catch {
    // Without the cause: a platform may repeat the header in it, which may contain a token.
    throw codedTypeError('ERR_AUTH_ARGUMENT', `The request to ${endpoint} has a header or method that cannot be sent.`);
  }
}

async function readText(response: Response, head: Omit<Answer, 'text'>): Promise<string> {
  // React Native has no streams: there the entire text is read, whatever its size.
  if (!response.body) return response.text();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      await reader.cancel();
      const { unusable } = await import('./answer-fields.ts');
      throw unusable(`The answer is larger than ${MAX_ANSWER_BYTES} bytes`, { ...head, text: '' });
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
