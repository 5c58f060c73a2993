/** RFC 8615 places this folder at the root of a host, even for an app with a base path. An export puts it there. */
const OF_HOST = '/.well-known/';

/**
 * Converts the target of a request to a path in the folder `public`. `undefined` for a target outside of the app's
 * base, where an export has no file.
 */
export function toPublicUrl(target: string, base: string | undefined): string | undefined {
  if (base === undefined || target.startsWith(OF_HOST)) return target;
  const below = target.startsWith(`${base}/`) ? target.slice(base.length) : undefined;
  return below?.startsWith(OF_HOST) ? undefined : below;
}
