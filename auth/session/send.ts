import { codedTypeError } from './coded-error.ts';
import { unusableAnswer } from './errors.ts';

/** How a request is sent. */
export interface SendOptions {
  /** Ends the request when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Ends the request after this many milliseconds, the reading of the answer included. Default: 30000. */
  timeoutMs?: number | undefined;
  /**
   * Lets endpoints be http on hosts other than this machine, which shows every secret and token to the network. For a
   * development server. Default: `false`.
   */
  allowInsecureRequests?: boolean | undefined;
  /** The key that the tokens are bound to: `createDPoPAsync()` of `appkit-auth-session/dpop` gives it (RFC 9449). */
  dpop?: KeyProof | undefined;
}

/** What proves that a client has a key. */
export interface KeyProof {
  /** Gives the header `DPoP` of a request. For a request with an access token, the header `Authorization` is `DPoP <token>`. */
  proveAsync(request: { method: string; url: string; accessToken?: string | undefined }): Promise<string>;
  /** Takes a nonce from an answer. `true`: the server wants it in the proof, so the request has to be sent again. */
  readAnswer(url: string, answer: Pick<Answer, 'headers' | 'status' | 'text'>): boolean;
}

/** A request, as it goes over the wire. */
export interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The access token among the headers, which a proof names. */
  accessToken?: string | undefined;
  /** The name of the setting that has the URL, for the error when it is none. */
  endpoint: string;
}

/** An answer, read to its end. */
export interface Answer {
  status: number;
  /** Whether the status is 2xx. */
  ok: boolean;
  headers: globalThis.Headers;
  contentType: string;
  text: string;
}

// Token answers are some kilobytes; a discovery document may be tens.
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends a request to a provider. Redirects are not followed: they would carry codes and secrets elsewhere (RFC 9700 section
 * 4.11).
 *
 * @throws TypeError for a URL that cannot be; the error of `fetch` when there is no answer; ResponseError for an answer
 *   that is too large.
 */
export async function send(url: string, outgoing: Outgoing, options: SendOptions = {}): Promise<Answer> {
  assertEndpoint(url, outgoing.endpoint, options.allowInsecureRequests ?? false);
  const { signal, timeoutMs = 30_000 } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const ends = signal ? AbortSignal.any([signal, limit]) : limit;
  const answer = await sendOnce(url, outgoing, options.dpop, ends);
  if (!options.dpop?.readAnswer(url, answer)) return answer;
  // RFC 9449 section 8: once, with the nonce that the server has given.
  const second = await sendOnce(url, outgoing, options.dpop, ends);
  options.dpop.readAnswer(url, second);
  return second;
}

async function sendOnce(
  url: string,
  { accessToken, body, headers, method }: Outgoing,
  dpop: KeyProof | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const proof = dpop && { DPoP: await dpop.proveAsync({ method, url, accessToken }) };
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...proof },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
  });
  const head = {
    status: response.status,
    ok: response.ok,
    headers: response.headers,
    contentType: (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
  };
  return { ...head, text: await readText(response, head) };
}

function assertEndpoint(url: string, name: string, allowInsecure: boolean): void {
  if (!URL.canParse(url)) throw codedTypeError('ERR_AUTH_ENDPOINT', `${name} is no URL: ${JSON.stringify(url)}.`);
  const parsed = new URL(url);
  if (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && (isLoopback(parsed) || allowInsecure))) return;
  throw codedTypeError(
    'ERR_AUTH_ENDPOINT',
    `${name} is ${parsed.origin}, but must be https. For a development server, give allowInsecureRequests: true.`,
  );
}

/** Whether a URL is of this machine, where http shows nothing to the network. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

async function readText(response: Response, { status, contentType }: Omit<Answer, 'text'>): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw unusableAnswer(`The answer is larger than ${MAX_ANSWER_BYTES} bytes`, { status, contentType, excerpt: '' });
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
