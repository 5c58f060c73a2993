import { toClientAddressAtEdge } from '../_http/client-address.ts';
import type { LambdaProxyEvent, LambdaProxyResult, LambdaResult } from './host-types.ts';
import type { Incoming } from './incoming.ts';

type Values = LambdaProxyEvent['multiValueHeaders'];

/** Reads an event in payload format 1.0, of a REST API or an Application Load Balancer. Both give the path as sent. */
export function fromProxyEvent(event: LambdaProxyEvent): Incoming {
  const { path, requestContext } = event;
  const headers = joinValues(event.multiValueHeaders);
  const isRestApi = requestContext.elb === undefined;
  return {
    method: event.httpMethod,
    path: requestContext.path ?? path,
    basePath: toBasePath(event),
    query: toQuery(event.multiValueQueryStringParameters, isRestApi ? encode : asSent),
    headers,
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
    requestId: requestContext.requestId,
    // The health check of a load balancer calls no name.
    domainName: isRestApi ? requestContext.domainName : 'localhost',
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

// The stage of a REST API is in front of the path at its own address, not at a domain of your own, and `path` is without it.
function toBasePath({ path, requestContext: { domainName, path: visited = path, stage } }: LambdaProxyEvent): string {
  const prefix = `/${stage}`;
  const isBelow = stage !== undefined && `${visited}/`.startsWith(`${prefix}/`);
  return isBelow && (visited !== path || domainName?.includes('.execute-api.')) ? prefix : '';
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

// Half of a surrogate pair is replaced, which would throw.
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
const asSent = (text: string): string => text;

// A REST API decodes names and values, a load balancer does not:
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
function toQuery(parameters: Values, write: (text: string) => string): string {
  return Object.entries(parameters ?? {})
    .flatMap(([name, values]) => (values ?? []).map((value) => `${write(name)}=${write(value)}`))
    .join('&');
}
