/** The path that the app is below, such as `/shop`. Empty at the root of its host. */
let base = '';

/** Sets the app's base. Called before anything is shown: by the renderer on a server, and by the client. */
export function setBase(site: { base?: string | undefined }): void {
  base = site.base ?? '';
}

/**
 * A path of the app as browsers request it: `/about` is `/shop/about`. Anything else, such as a relative path or a
 * complete URL, stays unchanged.
 */
export function withBase(href: string): string {
  return base !== '' && /^\/(?![/\\])/.test(href) ? base + href : href;
}

/** The path of the app for the path of a URL. `undefined` for a URL that is outside of the app. */
export function withoutBase(pathname: string): string | undefined {
  if (base === '') return pathname;
  if (pathname === base) return '/';
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
}
