/** RFC 8615 has this folder at the root of a host, also when the app is below a path. An export puts it there. */
const OF_HOST = '/.well-known/';

/** The target of a request as a path of the folder `public`. `undefined` when an export has no file of it there: outside of the base of the app. */
export function toPublicUrl(target: string, base: string | undefined): string | undefined {
  if (base === undefined || target.startsWith(OF_HOST)) return target;
  const below = target.startsWith(`${base}/`) ? target.slice(base.length) : undefined;
  return below?.startsWith(OF_HOST) ? undefined : below;
}
