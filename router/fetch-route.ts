import type { ApiParams, ApiPattern, MethodOf } from './register.ts';

/** How a route is called: the options of `fetch`, and the parameters and query of the URL. */
export type FetchRouteOptions<Pattern extends ApiPattern> = Omit<RequestInit, 'method'> & {
  /** Put into the query. A name with `undefined` is left out. Default: none. */
  query?: Record<string, string | number | boolean | undefined>;
} & (string extends keyof ApiParams<Pattern>
    ? { params?: ApiParams<Pattern> }
    : keyof ApiParams<Pattern> extends never
      ? { params?: never }
      : {
          /** The parameters of the path, not encoded. */
          params: ApiParams<Pattern>;
        }) &
  ('GET' extends MethodOf<Pattern>
    ? {
        /** Default: `GET`. */
        method?: MethodOf<Pattern>;
      }
    : {
        /** Default: `GET`, which the route does not have. */
        method: MethodOf<Pattern>;
      });

type Given<Pattern extends ApiPattern> =
  {} extends FetchRouteOptions<Pattern>
    ? [options?: FetchRouteOptions<Pattern>]
    : [options: FetchRouteOptions<Pattern>];

/** The type of `fetchRoute`. */
export type FetchRoute = <const Pattern extends ApiPattern>(
  pattern: Pattern,
  ...given: Given<Pattern>
) => Promise<Response>;

/** Makes `fetchRoute` from a `fetch` that knows where the server is. */
export function createFetchRoute(fetch: typeof globalThis.fetch): FetchRoute {
  return async (pattern, ...[options]) => {
    const {
      params = {},
      query = {},
      ...init
    } = (options ?? {}) as RequestInit & {
      params?: Record<string, string>;
      query?: Record<string, string | number | boolean | undefined>;
    };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value));
    // React Native's own class has no size.
    const text = search.toString();
    return fetch(fillPattern(pattern, params) + (text === '' ? '' : `?${text}`), init);
  };
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
