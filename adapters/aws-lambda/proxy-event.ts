import { toClientAddressAtEdge } from '../_http/client-address.ts';
import type { LambdaProxyEvent, LambdaProxyResult, LambdaResult } from './host-types.ts';
import type { Incoming } from './incoming.ts';

type Values = LambdaProxyEvent['multiValueHeaders'];

/**
 * Reads an event in payload format 1.0, from a REST API or an Application Load Balancer. Both pass the path as sent.
 */
export function fromProxyEvent(event: LambdaProxyEvent): Incoming {
  const { requestContext } = event;
  const headers = joinValues(event.multiValueHeaders);
  const basePath = toBasePath(event);
  const isRestApi = requestContext.elb === undefined;
  return {
    method: event.httpMethod,
    // Only below a stage do the two differ. `sam local` writes the resource, such as /{proxy+}, into the second.
    path: basePath === '' ? event.path : (requestContext.path ?? event.path),
    basePath,
    query: toQuery(event.multiValueQueryStringParameters, isRestApi ? encode : asSent),
    headers,
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
    requestId: requestContext.requestId,
    // A load balancer's health check names no host.
    domainName: isRestApi ? requestContext.domainName : 'localhost',
    findClientAddress(proxies) {
      const forwarded = headers['x-forwarded-for'];
      // A load balancer adds its caller to this header, and reports it nowhere else.
      const own = isRestApi
        ? requestContext.identity?.sourceIp
        : forwarded?.slice(forwarded.lastIndexOf(',') + 1).trim();
      return toClientAddressAtEdge(own ?? undefined, forwarded, proxies);
    },
  };
}

// The stage of a REST API precedes the path at the API's own address, but not at a domain of your own; `path` never
// contains it.
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

// Names arrive as they were written, so one name may appear twice.
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

// A lone surrogate is replaced, since encoding it would throw.
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
const asSent = (text: string): string => text;

// A REST API decodes names and values, a load balancer does not:
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
function toQuery(parameters: Values, write: (text: string) => string): string {
  return Object.entries(parameters ?? {})
    .flatMap(([name, values]) => (values ?? []).map((value) => `${write(name)}=${write(value)}`))
    .join('&');
}
