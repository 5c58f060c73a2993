/** Whether one of the `+not-found` pages belongs to a folder that contains a page. */
export function hasNotFound(pattern: string, notFound: readonly { pattern: string }[]): boolean {
  return notFound.some((page) => page.pattern === '/' || `${pattern}/`.startsWith(`${page.pattern}/`));
}
