import type { TLSSocket } from 'node:tls';
import { isForbiddenMethod } from '../../runtime/host.ts';
import type { ErrorReporter } from '../../runtime/host.ts';
import { joinedValueOf } from '../_http/header-list.ts';
import { isNormalTarget } from '../_http/normal-target.ts';
import { createOriginFinder } from '../_http/public-origin.ts';
import type { OriginFinder } from '../_http/public-origin.ts';
import type { NodeRequest } from './host-types.ts';
import { createLightRequest } from '../_light/light-request.ts';
import type { RequestBody } from './request-body.ts';

/**
 * Turns a Node request into a Request. Returns `undefined` if its Host or target is invalid: answer that with 400.
 *
 * @param target – the request target, if a framework has changed `url`.
 */
export type ToRequest = (
  nodeRequest: NodeRequest,
  target: string | undefined,
  body: RequestBody | null,
) => Request | undefined;

/** Returns the scheme of the URL that was visited. */
export type SchemeOf = (nodeRequest: NodeRequest) => 'http' | 'https';

/**
 * @param proxies – how many proxies in front are trusted.
 * @param report – called with the error of a failing abort listener.
 * @param schemeOf – default: the scheme of the connection.
 */
export function createToRequest(
  proxies: number,
  report: ErrorReporter,
  schemeOf: SchemeOf = schemeOfConnection,
): ToRequest {
  const finders = { http: createOriginFinder(proxies), https: createOriginFinder(proxies) };
  const originOf = (nodeRequest: NodeRequest): string | undefined => {
    const scheme = schemeOf(nodeRequest);
    const host = headerOf(nodeRequest, 'host');
    const known = host === undefined ? undefined : finders[scheme].last(host);
    return known ?? findOrigin(nodeRequest, finders[scheme], scheme);
  };
  return (nodeRequest, target, body) => {
    const origin = originOf(nodeRequest);
    const path = toOriginForm(target ?? nodeRequest.url);
    const url = origin === undefined || path === undefined ? undefined : toUrl(origin, path);
    if (url === undefined) return undefined;
    return createLightRequest({
      method: nodeRequest.method ?? 'GET',
      url,
      headers: nodeRequest.rawHeaders,
      body,
      report,
    });
  };
}

function schemeOfConnection({ socket }: NodeRequest): 'http' | 'https' {
  return (socket as TLSSocket).encrypted ? 'https' : 'http';
}

function findOrigin(nodeRequest: NodeRequest, finder: OriginFinder, scheme: 'http' | 'https'): string | undefined {
  const local = nodeRequest.httpVersion === '1.0' ? localHost(nodeRequest) : undefined;
  return finder.find((name) => headerOf(nodeRequest, name), scheme, local);
}

/** Whether a request can have a body: RFC 9112 section 6.3, except methods whose body Fetch does not support. */
export function hasBody(nodeRequest: NodeRequest): boolean {
  const { method } = nodeRequest;
  if (method === 'GET' || method === 'HEAD' || isForbiddenMethod(method ?? '')) return false;
  // HTTP/2 frames a body without announcing it.
  if (nodeRequest.httpVersionMajor > 1)
    return !(nodeRequest as { stream?: { endAfterHeaders?: boolean } }).stream?.endAfterHeaders;
  return (
    headerOf(nodeRequest, 'transfer-encoding') !== undefined || Number(headerOf(nodeRequest, 'content-length')) > 0
  );
}

function toUrl(origin: string, path: string): string | undefined {
  const url = origin + path;
  if (isNormalTarget(path)) return url;
  return URL.canParse(url) ? new URL(url).href : undefined;
}

/**
 * A header as it arrived, several field lines joined in the way of Headers: Node's `headers` keeps only the first Host,
 * and building that object takes longer than everything that is read here.
 */
export function headerOf(nodeRequest: NodeRequest, name: string): string | undefined {
  const value = joinedValueOf(nodeRequest.rawHeaders, name);
  return name === 'host' ? (value ?? (nodeRequest.headers[':authority'] as string | undefined)) : value;
}

// RFC 9112 section 3.3: without a Host, the address that the request came to counts. Health checks of load balancers
// omit the Host. A Unix socket has no address: `localhost` is the name that Node's own client sends there.
function localHost({ socket }: NodeRequest): string {
  const { localAddress, localPort } = socket;
  if (localAddress === undefined) return 'localhost';
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

// A request target in absolute form names its own host. But the Host header counts, which proxies set and which chose the connection, so only the
// path of the target is used. A route cannot answer `*` and the authority form.
function toOriginForm(target: string | undefined): string | undefined {
  if (target === undefined || target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]+/i.exec(target)?.[0];
  return authority === undefined ? undefined : target.slice(authority.length);
}
