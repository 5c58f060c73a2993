/** Whether one of the `+not-found` pages is that of a folder which a page is in. */
export function hasNotFound(pattern: string, notFound: readonly { pattern: string }[]): boolean {
  return notFound.some((page) => page.pattern === '/' || `${pattern}/`.startsWith(`${page.pattern}/`));
}
