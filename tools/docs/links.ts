import { existsSync } from 'node:fs';
import path from 'node:path';
import type { HtmlFile } from './html-files.ts';

/** Every link of a page, unchanged. */
export function findLinks({ html }: HtmlFile): string[] {
  return [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}

/**
 * Finds the links within a site whose page, file or fragment does not exist.
 *
 * @returns each as `page → link`.
 */
export function findBrokenLinks(files: readonly HtmlFile[], folder: string): string[] {
  const pages = new Map(files.map((file) => [file.pathname, file]));
  return files.flatMap((file) => {
    const broken = findLinks(file).filter((href) => {
      const url = new URL(href, `http://site.test${file.pathname}`);
      if (url.host !== 'site.test') return false;
      const target = pages.get(url.pathname);
      if (!target) return !existsSync(path.join(folder, url.pathname)) || url.pathname.endsWith('/');
      return url.hash !== '' && !target.html.includes(` id="${decodeURIComponent(url.hash.slice(1))}"`);
    });
    return broken.map((href) => `${file.pathname} → ${href}`);
  });
}
