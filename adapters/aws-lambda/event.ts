import { isForbiddenMethod } from '../../runtime/host.ts';
import { toClientAddress, toClientAddressAtEdge } from '../_http/client-address.ts';
import { PLAIN_VALUE, toHeaderList, toHeaderPairs, valueOf } from '../_http/header-list.ts';
import type { HeaderList } from '../_http/header-list.ts';
import type { OriginFinder } from '../_http/public-origin.ts';
import { createLightRequest } from '../_light/light-request.ts';
import { fromParsedBody } from '../_node/request-body.ts';
import type { LambdaEvent } from './host-types.ts';

/** The body of a request, or `null` for none. */
export function toBody({ body, isBase64Encoded }: LambdaEvent): Uint8Array<ArrayBuffer> | null {
  return body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') : null;
}

/** Turns an event into a Request. Returns `undefined` if its Host or a header is invalid: answer that with 400. */
export function toRequest(
  event: LambdaEvent,
  { body, origins }: { body: Uint8Array<ArrayBuffer> | null; origins: OriginFinder },
): Request | undefined {
  const headers = readHeaders(event);
  if (!headers) return undefined;
  const header = (name: string): string | undefined => valueOf(headers, name);
  // Set by the platform, whatever the client sent.
  const scheme = header('x-forwarded-proto') === 'http' ? 'http' : 'https';
  const local = event.requestContext.domainName;
  const origin = origins.find(header, scheme, local);
  const url = `${origin}${toPath(event)}${event.rawQueryString ? `?${event.rawQueryString}` : ''}`;
  if (origin === undefined || !URL.canParse(url)) return undefined;

  const { method } = event.requestContext.http;
  const carriesBody = body !== null && method !== 'GET' && method !== 'HEAD' && !isForbiddenMethod(method);
  return createLightRequest({
    method,
    url: new URL(url).href,
    headers,
    body: carriesBody ? fromParsedBody(body) : null,
  });
}

/**
 * The IP address of the client.
 *
 * @param proxies – how many proxies in front are trusted.
 */
export function findClientAddress(event: LambdaEvent, proxies: number): string | undefined {
  const { sourceIp } = event.requestContext.http;
  if (proxies === 0) return toClientAddress(sourceIp, undefined, 0);
  const header = (name: string): string | undefined => event.headers?.[name] ?? undefined;
  // IPv6 has no brackets here, so the port is what follows the last colon.
  const viewer = header('cloudfront-viewer-address')?.replace(/:\d+$/, '');
  if (viewer !== undefined) return toClientAddress(viewer, undefined, 0);
  // A Function URL leaves only the first entry of X-Forwarded-For, which a client may have written:
  // https://speedrun.nobackspacecrew.com/blog/2026/03/06/obtaining-caller-ip-address-with-lambda-furls.html
  const forwarded = isExecuteApi(event) ? header('x-forwarded-for') : undefined;
  return toClientAddressAtEdge(sourceIp, forwarded, proxies);
}

/** Where the app is mounted: below the stage, at an HTTP API's own address. */
export function toBasePath(event: LambdaEvent): string {
  return isExecuteApi(event) ? stagePrefix(event) : '';
}

function isExecuteApi({ requestContext }: LambdaEvent): boolean {
  return requestContext.domainName?.includes('.execute-api.') ?? false;
}

// Each stage except $default is in the path, also at your own domain, where it is not in the visited URL:
// https://github.com/CodeGenieApp/serverless-express/issues/465
function stagePrefix({ rawPath, requestContext }: LambdaEvent): string {
  const prefix = `/${requestContext.stage ?? '$default'}`;
  return prefix !== '/$default' && `${rawPath}/`.startsWith(`${prefix}/`) ? prefix : '';
}

// Values that Headers would return unchanged. Names in lower case, so that none is a duplicate.
const PLAIN_NAME = /^[a-z\d-]+$/;

// `undefined` if a header is invalid, which no AWS front end would pass on. Nearly all are plain, and few routes read them, so no Headers are
// made here. What that saves: docs/decisions/009.
function readHeaders({ headers, cookies }: LambdaEvent): HeaderList | undefined {
  const all = cookies && cookies.length > 0 ? { ...headers, cookie: cookies.join('; ') } : (headers ?? {});
  const list: string[] = [];
  for (const name of Object.keys(all)) {
    const value = all[name];
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

// Header values are bytes, and Headers takes a string of bytes. Values decoded as UTF-8 are turned into bytes again.
function toByteString(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

// A Function URL gives the path as sent, an HTTP API gives it decoded: https://github.com/honojs/hono/issues/2156. Characters that would then end
// it, or be decoded again, are encoded. Nobody can tell whether a slash was encoded.
function toPath(event: LambdaEvent): string {
  const { rawPath, requestContext } = event;
  const visited = isExecuteApi(event) ? rawPath : rawPath.slice(stagePrefix(event).length);
  const path = visited.startsWith('/') ? visited : `/${visited}`;
  if (requestContext.domainName?.includes('.lambda-url.')) return path;
  return path.replaceAll(/[\0-\x20%?#\\]/g, encodeURIComponent);
}
