import { toClientAddress, toClientAddressAtEdge } from '../_http/client-address.ts';
import type { LambdaEvent } from './host-types.ts';
import type { Incoming } from './incoming.ts';

/** Reads an event in payload format 2.0, from a Function URL or an HTTP API. */
export function fromEvent(event: LambdaEvent): Incoming {
  const { headers, cookies, requestContext } = event;
  return {
    method: requestContext.http.method,
    path: toPath(event),
    basePath: toBasePath(event),
    query: event.rawQueryString,
    headers: cookies && cookies.length > 0 ? { ...headers, cookie: cookies.join('; ') } : (headers ?? {}),
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
    requestId: requestContext.requestId,
    domainName: requestContext.domainName,
    findClientAddress: (proxies) => findClientAddress(event, proxies),
  };
}

function findClientAddress(event: LambdaEvent, proxies: number): string | undefined {
  const { sourceIp } = event.requestContext.http;
  if (proxies === 0) return toClientAddress(sourceIp, undefined, 0);
  const header = (name: string): string | undefined => event.headers?.[name] ?? undefined;
  // A Function URL leaves only the first entry of X-Forwarded-For, which a client may have written:
  // https://speedrun.nobackspacecrew.com/blog/2026/03/06/obtaining-caller-ip-address-with-lambda-furls.html
  const forwarded = isFunctionUrl(event) ? undefined : header('x-forwarded-for');
  // What the proxy has added comes first. A proxy other than CloudFront passes on what a client has written into
  // CloudFront's own header.
  if (forwarded !== undefined && forwarded !== sourceIp) return toClientAddressAtEdge(sourceIp, forwarded, proxies);
  // IPv6 has no brackets here, so the port is the part after the last colon.
  const viewer = header('cloudfront-viewer-address')?.replace(/:\d+$/, '');
  return toClientAddress(viewer ?? sourceIp, undefined, 0);
}

function isFunctionUrl({ requestContext }: LambdaEvent): boolean {
  return requestContext.domainName?.includes('.lambda-url.') ?? false;
}

/** Where the app is mounted: below the stage, at an HTTP API's own address. */
function toBasePath(event: LambdaEvent): string {
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

// A Function URL passes the path as sent, an HTTP API decoded: https://github.com/honojs/hono/issues/2156. Characters
// that would then end the path, or be decoded again, are encoded. Whether a slash was encoded cannot be known.
function toPath(event: LambdaEvent): string {
  const { rawPath } = event;
  const path = isExecuteApi(event) ? rawPath : rawPath.slice(stagePrefix(event).length);
  if (isFunctionUrl(event)) return path;
  return path.replaceAll(/[\0-\x20%?#\\]/g, encodeURIComponent);
}
