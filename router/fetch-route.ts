import type { ContractOf, ApiParams, ApiPattern, MethodOf } from './register.ts';
import type { ContractHeaders, ContractQuery, ContractSent, ResponseOf } from './route-contract.ts';

/** What fits into a query. */
type QueryValue = string | number | boolean | undefined;

/** How a route is called: the options of `fetch`, and the parameters and query of the URL. */
export type FetchRouteOptions<Pattern extends ApiPattern, Method extends string = MethodOf<Pattern>> = Omit<
  RequestInit,
  'method' | 'body' | 'headers'
> &
  QueryOption<ContractOf<Pattern, Method>> &
  HeadersOption<ContractOf<Pattern, Method>> &
  BodyOption<ContractOf<Pattern, Method>> &
  (string extends keyof ApiParams<Pattern>
    ? { params?: ApiParams<Pattern> }
    : keyof ApiParams<Pattern> extends never
      ? { params?: never }
      : {
          /** The parameters of the path, not encoded. */
          params: ApiParams<Pattern>;
        }) &
  ('GET' extends Method
    ? {
        /** Default: `GET`. */
        method?: Method;
      }
    : {
        /** Default: `GET`, which the route does not have. */
        method: Method;
      });

type QueryOption<Contract> = Contract extends { query: infer Query extends object }
  ? ContractQuery<Query>
  : {
      /**
       * Added to the query. A name with `undefined` is left out, and a list adds the name once per value. Default:
       * none.
       */
      query?: Record<string, QueryValue | readonly QueryValue[]>;
    };

type HeadersOption<Contract> = Contract extends { headers: infer Headers extends object }
  ? ContractHeaders<Headers>
  : { headers?: RequestInit['headers'] };

type BodyOption<Contract> = Contract extends { body: infer Body }
  ? ContractSent<Body>
  : {
      /** An object or a list is sent as JSON, and anything else as `fetch` does. Default: none. */
      body?: RequestInit['body'] | object;
    };

/** `GET` for a route that has it. */
type DefaultMethod<Pattern extends ApiPattern> = 'GET' extends MethodOf<Pattern> ? 'GET' : MethodOf<Pattern>;

type Given<Pattern extends ApiPattern, Method extends string> =
  {} extends FetchRouteOptions<Pattern, Method>
    ? [options?: FetchRouteOptions<Pattern, Method>]
    : [options: FetchRouteOptions<Pattern, Method>];

/** The type of `fetchRoute`. */
export type FetchRoute = <
  const Pattern extends ApiPattern,
  const Method extends MethodOf<Pattern> = DefaultMethod<Pattern>,
>(
  pattern: Pattern,
  ...given: Given<Pattern, Method>
) => Promise<ResponseOf<ContractOf<Pattern, Method>>>;

/** Makes `fetchRoute` from a `fetch` that knows where the server is. */
export function createFetchRoute(fetch: typeof globalThis.fetch): FetchRoute {
  const fetchRoute = async (pattern: string, options: UntypedOptions = {}): Promise<Response> => {
    const { params = {}, query = {}, body, ...init } = options;
    const search = new URLSearchParams();
    for (const [name, values] of Object.entries(query)) {
      for (const value of Array.isArray(values) ? values : [values]) {
        if (value !== undefined) search.append(name, String(value));
      }
    }
    // React Native's own class has no size.
    const text = search.toString();
    return fetch(fillPattern(pattern, params) + (text === '' ? '' : `?${text}`), withBody(init, body));
  };
  // Its types are for the caller.
  return fetchRoute as FetchRoute;
}

type UntypedOptions = Omit<RequestInit, 'body'> & {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
};

function withBody(init: RequestInit, body: unknown): RequestInit {
  if (isForJson(body)) return withType(init, 'application/json', JSON.stringify(body));
  // On Bun (1.4), a text body has no type until it is sent, and within the app it is not sent.
  if (typeof body === 'string') return withType(init, 'text/plain;charset=UTF-8', body);
  return body === undefined ? init : { ...init, body: body as NonNullable<RequestInit['body']> };
}

function withType(init: RequestInit, type: string, body: string): RequestInit {
  const headers = new Headers(init.headers);
  if (!headers.has('content-type')) headers.set('content-type', type);
  return { ...init, headers, body };
}

/** Whether `fetch` could only send `[object Object]` or similar text. */
function isForJson(body: unknown): boolean {
  if (typeof body === 'number' || typeof body === 'boolean') return true;
  if (typeof body !== 'object' || body === null) return false;
  // Node sends what can be iterated.
  if (ArrayBuffer.isView(body) || Symbol.asyncIterator in body) return false;
  const [, tag = ''] = /^\[object (.*)\]$/.exec(Object.prototype.toString.call(body)) ?? [];
  return !SENT.includes(tag) && !SENT.some((name) => isInstance(body, name));
}

/** The classes that `fetch` sends as they are. React Native's own have no tags, and those of another realm are others. */
const SENT = ['ArrayBuffer', 'Blob', 'File', 'FormData', 'ReadableStream', 'URLSearchParams'];

function isInstance(value: object, name: string): boolean {
  const known = (globalThis as Record<string, unknown>)[name];
  return typeof known === 'function' && value instanceof known;
}

function fillPattern(pattern: string, params: Record<string, string>): string {
  return pattern.replaceAll(/\[(\.\.\.)?([^\]]+)\]/g, (_, rest: string | undefined, name: string) => {
    const value = params[name];
    const parts = rest === undefined ? [value] : value?.split('/');
    // A URL does not keep empty segments or dots.
    if (value === undefined || !parts?.every((part) => part !== undefined && !/^\.{0,2}$/.test(part)))
      throw new TypeError(
        `fetchRoute: ${pattern} was called with ${name}: ${JSON.stringify(value)}. Give it text that can be in a path.`,
      );
    return parts.map((part) => encodeURIComponent(part ?? '')).join('/');
  });
}
