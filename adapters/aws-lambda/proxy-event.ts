import { toClientAddressAtEdge } from '../_http/client-address.ts';
import type { LambdaProxyEvent, LambdaProxyResult, LambdaResult } from './host-types.ts';
import type { Incoming } from './incoming.ts';

type Values = LambdaProxyEvent['multiValueHeaders'];

/** Reads an event in payload format 1.0, of a REST API or an Application Load Balancer. Both give the path as sent. */
export function fromProxyEvent(event: LambdaProxyEvent): Incoming {
  const { path, requestContext } = event;
  const headers = joinValues(event.multiValueHeaders);
  const isRestApi = requestContext.elb === undefined;
  // The stage is in front of it at the API's own address.
  const visited = requestContext.path ?? path;
  return {
    method: event.httpMethod,
    path: visited,
    basePath: visited.endsWith(path) ? visited.slice(0, visited.length - path.length) : '',
    query: toQuery(event.multiValueQueryStringParameters, isRestApi ? encodeURIComponent : String),
    headers,
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
    requestId: requestContext.requestId,
    domainName: requestContext.domainName,
    findClientAddress(proxies) {
      const forwarded = headers['x-forwarded-for'];
      // A load balancer adds who has called it, and says it nowhere else.
      const own = isRestApi
        ? requestContext.identity?.sourceIp
        : forwarded?.slice(forwarded.lastIndexOf(',') + 1).trim();
      return toClientAddressAtEdge(own ?? undefined, forwarded, proxies);
    },
  };
}

/** The answer in payload format 1.0. */
export function toProxyResult({
  statusCode,
  headers,
  cookies,
  body,
  isBase64Encoded,
}: LambdaResult): LambdaProxyResult {
  const lines = Object.entries(headers).map(([name, value]): [string, string[]] => [name, [value]]);
  if (cookies.length > 0) lines.push(['set-cookie', cookies]);
  const multiValueHeaders = Object.fromEntries(lines);
  return { statusCode, multiValueHeaders, body, isBase64Encoded };
}

// Names come as they were written, so one may come twice.
function joinValues(values: Values): Record<string, string | undefined> {
  const lines = new Map<string, string>();
  for (const [written, more] of Object.entries(values ?? {})) {
    const name = written.toLowerCase();
    const before = lines.get(name);
    const all = before === undefined ? (more ?? []) : [before, ...(more ?? [])];
    lines.set(name, all.join(name === 'cookie' ? '; ' : ', '));
  }
  return Object.fromEntries(lines);
}

// A REST API decodes names and values, a load balancer does not:
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
function toQuery(parameters: Values, encode: (text: string) => string): string {
  return Object.entries(parameters ?? {})
    .flatMap(([name, values]) => (values ?? []).map((value) => `${encode(name)}=${encode(value)}`))
    .join('&');
}
