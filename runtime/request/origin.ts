import { codedError } from '../http/coded-error.ts';

/**
 * The origin the user used: the `Origin` header if it may be trusted, otherwise the one that the host vouches for, otherwise where the request
 * arrived.
 */
export function resolveOrigin(
  request: Request,
  vouched: string | undefined,
  allowed: ReadonlySet<string> | undefined,
): string {
  const header = request.headers.get('origin');
  if (header !== null && isHttpOrigin(header) && (!allowed || allowed.has(header))) return header;
  return vouched ?? new URL(request.url).origin;
}

/** Checks the `origins` option of an adapter. */
export function toAllowedOrigins(origins: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (!origins) return undefined;
  for (const origin of origins) {
    if (!isHttpOrigin(origin)) {
      throw codedError(
        'ERR_OPTION_INVALID',
        `The option origins lists ${JSON.stringify(origin)}, which is not an origin. Write scheme, host and port as a ` +
          'browser sends them, such as "https://shop.example", without a path or trailing slash.',
      );
    }
  }
  return new Set(origins);
}

// One origin in its serialised form: several in a row, "null" and anything with a path are not origins.
function isHttpOrigin(value: string): boolean {
  if (!/^https?:\/\//.test(value)) return false;
  return URL.canParse(value) && new URL(value).origin === value;
}
