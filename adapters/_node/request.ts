import type { TLSSocket } from 'node:tls';
import { createRequest, isForbiddenMethod } from '../../runtime/create-request.ts';
import type { RequestInitOfHost } from '../../runtime/create-request.ts';
import { toPublicOrigin } from '../_http/public-origin.ts';
import type { NodeRequest, RequestBody } from './host-types.ts';

/** What of a Node request is not in the message itself, or no longer. */
export interface RequestParts {
  /** The request target, where a framework has changed `url`. */
  target: string | undefined;
  /** The body, or `null` for none. */
  body: RequestBody | null;
  /** How many proxies in front are trusted. */
  proxies: number;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}

/** Turns a Node request into a Request, or gives `undefined` when its Host or target is not valid: answer that with 400. */
export function toRequest(nodeRequest: NodeRequest, parts: RequestParts): Request | undefined {
  const headers = toHeaders(nodeRequest);
  const scheme = (nodeRequest.socket as TLSSocket).encrypted ? 'https' : 'http';
  const local = nodeRequest.httpVersion === '1.0' ? localHost(nodeRequest) : undefined;
  const origin = toPublicOrigin((name) => headerOf(nodeRequest, headers, name), scheme, {
    proxies: parts.proxies,
    local,
  });
  const target = toOriginForm(parts.target ?? nodeRequest.url);
  if (origin === undefined || target === undefined || !URL.canParse(origin + target)) return undefined;

  const method = nodeRequest.method ?? 'GET';
  const init: RequestInitOfHost = { method, headers, signal: parts.signal, duplex: 'half' };
  if (parts.body !== null) init.body = parts.body;
  return createRequest(origin + target, init);
}

/** Whether a request can have a body: RFC 9112 section 6.3, less the methods whose body Fetch does not carry. */
export function hasBody(nodeRequest: NodeRequest): boolean {
  const { method, headers } = nodeRequest;
  if (method === 'GET' || method === 'HEAD' || isForbiddenMethod(method ?? '')) return false;
  // HTTP/2 frames a body without announcing it.
  if (nodeRequest.httpVersionMajor > 1)
    return !(nodeRequest as { stream?: { endAfterHeaders?: boolean } }).stream?.endAfterHeaders;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function toHeaders({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    // HTTP/2 pseudo-headers are no headers: RFC 9113 section 8.3.
    if (name.startsWith(':')) continue;
    // Cookie crumbs are joined by a semicolon, all else as a list: RFC 9113 section 8.2.3.
    const crumbs = name.length === 6 && name.toLowerCase() === 'cookie' ? headers.get('cookie') : null;
    if (crumbs === null) headers.append(name, value);
    else headers.set('cookie', `${crumbs}; ${value}`);
  }
  return headers;
}

function headerOf(nodeRequest: NodeRequest, headers: Headers, name: string): string | undefined {
  const value = headers.get(name);
  if (value === null && name === 'host') return nodeRequest.headers[':authority'] as string | undefined;
  return value ?? undefined;
}

// RFC 9112 section 3.3: without a Host, the address the request came to. Health checks of load balancers ask so.
function localHost({ socket }: NodeRequest): string {
  const { localAddress = '', localPort } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

// A request target in absolute form names a host of its own. The one that counts is the Host header's, which proxies set
// and the connection was chosen by; so only its path is taken. `*` and the authority form are nothing a route can answer.
function toOriginForm(target: string | undefined): string | undefined {
  if (target === undefined || target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return undefined;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
