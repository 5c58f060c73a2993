import type { HtmlFile } from './html-files.ts';

const SHORTEST = 50;
const LONGEST = 200;

/**
 * Finds the pages whose description would not help a reader in a list of search results.
 *
 * @returns each as `page: what is wrong`.
 */
export function findPoorDescriptions(files: readonly HtmlFile[]): string[] {
  const pages = files.map((file) => ({ pathname: file.pathname, description: descriptionOf(file) }));
  return pages.flatMap(({ pathname, description }, index) => {
    const faults: string[] = [];
    if (description.length < SHORTEST) faults.push(`is too short: "${description}"`);
    if (description.length > LONGEST) faults.push(`is too long: "${description}"`);
    const other = pages.findIndex((page) => page.description === description);
    if (other < index) faults.push(`is that of ${pages[other]?.pathname}`);
    return faults.map((fault) => `${pathname}: ${fault}`);
  });
}

function descriptionOf({ html }: HtmlFile): string {
  return /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
}
