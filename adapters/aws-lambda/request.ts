import { isForbiddenMethod } from '../../runtime/host.ts';
import type { ErrorReporter } from '../../runtime/host.ts';
import { PLAIN_VALUE, toHeaderList, toHeaderPairs, valueOf } from '../_http/header-list.ts';
import type { HeaderList } from '../_http/header-list.ts';
import type { OriginFinder } from '../_http/public-origin.ts';
import { createLightRequest } from '../_light/light-request.ts';
import { fromParsedBody } from '../_node/request-body.ts';
import type { Incoming } from './incoming.ts';

/** The body of a request, or `null` if it has none. */
export function toBody({ body, isBase64Encoded }: Incoming): Uint8Array<ArrayBuffer> | null {
  return body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') : null;
}

/** Creates the Request. Returns `undefined` if its Host or a header is invalid: answer that with 400. */
export function toRequest(
  incoming: Incoming,
  { body, origins, report }: { body: Uint8Array<ArrayBuffer> | null; origins: OriginFinder; report: ErrorReporter },
): Request | undefined {
  const headers = readHeaders(incoming);
  if (!headers) return undefined;
  const header = (name: string): string | undefined => valueOf(headers, name);
  // Set by the platform, whatever the client sent.
  const scheme = header('x-forwarded-proto') === 'http' ? 'http' : 'https';
  const origin = origins.find(header, scheme, incoming.domainName);
  const path = incoming.path.startsWith('/') ? incoming.path : `/${incoming.path}`;
  // No fragment is sent.
  const target = `${path}${incoming.query ? `?${incoming.query}` : ''}`.replaceAll('#', '%23');
  const url = `${origin}${target}`;
  if (origin === undefined || !URL.canParse(url)) return undefined;

  const { method } = incoming;
  const carriesBody = body !== null && method !== 'GET' && method !== 'HEAD' && !isForbiddenMethod(method);
  return createLightRequest({
    method,
    url: new URL(url).href,
    headers,
    body: carriesBody ? fromParsedBody(body) : null,
    report,
  });
}

// Values that Headers would return unchanged. Names must be in lower case, so that none is a duplicate.
const PLAIN_NAME = /^[a-z\d-]+$/;

// `undefined` if a header is invalid, which no AWS front end would pass on. Nearly all are plain, and few routes read
// them, so no Headers object is created here. docs/decisions/009 says what that saves.
function readHeaders({ headers }: Incoming): HeaderList | undefined {
  const list: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && value !== null) list.push(name, value);
  }
  const isPlain = list.every((text, index) => (index % 2 === 0 ? PLAIN_NAME : PLAIN_VALUE).test(text));
  if (isPlain) return list;
  const result = new Headers();
  try {
    for (const [name, value] of toHeaderPairs(list)) result.set(name, toByteString(value));
  } catch {
    return undefined;
  }
  return toHeaderList(result);
}

// Header values are bytes, and Headers accepts a string of bytes. Values decoded as UTF-8 are turned into bytes again.
function toByteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}
