/** The path and the query of a URL. */
type PageUrl = Pick<URL, 'pathname' | 'search'>;

/** Whether a URL is that of a part of the document's page: the browser goes there by itself, with focus and `:target`. */
export function leadsToPart(url: PageUrl & Pick<URL, 'origin' | 'hash'>): boolean {
  return url.hash !== '' && url.origin === location.origin && isSamePage(url, location);
}

/** Whether two URLs of the app lead to the same page, whatever part of it they name. */
export function isSamePage(one: PageUrl, other: PageUrl): boolean {
  return one.pathname === other.pathname && one.search === other.search;
}
