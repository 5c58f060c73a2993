import path from 'node:path';
import { REPOSITORY } from './settings.ts';

/** The target of a Markdown link: a page or another site, or a file that this site does not show. */
export type Target = { href: string } | { file: string };

/**
 * Resolves a link.
 *
 * @param file – the Markdown file with the link, as a path in the repository.
 */
export function resolveLink(href: string, file: string): Target {
  if (/^(?:[a-z]+:|#)/.test(href)) return { href };
  const [name = '', fragment] = href.split('#');
  const target = path.posix.join(path.posix.dirname(file), name);
  const [, page] = /^docs\/((?:guide\/)?[\w-]+)\.md$/.exec(target) ?? [];
  if (
    page !== undefined &&
    (page.startsWith('guide/') || ['hosts', 'benchmarks', 'peers', 'versioning'].includes(page))
  )
    return { href: `/${page}${fragment === undefined ? '' : `#${fragment}`}` };
  return REPOSITORY === undefined ? { file: target } : { href: `${REPOSITORY}/${target}` };
}
