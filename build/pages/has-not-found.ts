/**
 * Whether one of the `+not-found` pages belongs to a folder that contains a page. For one of themselves, whether another
 * does: it is shown if a layout of the page's folder has not found its content.
 */
export function hasNotFound<Page extends { pattern: string }>(page: Page, notFound: readonly Page[]): boolean {
  return notFound.some(
    (other) => other !== page && (other.pattern === '/' || `${page.pattern}/`.startsWith(`${other.pattern}/`)),
  );
}

/** Whether a `+not-found` is for every path. */
export function hasRootNotFound(notFound: readonly { pattern: string }[]): boolean {
  return notFound.some(({ pattern }) => pattern === '/');
}
