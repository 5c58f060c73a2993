import type { FileIndex } from './file-index.ts';
import type { StaticFile } from './static-file.ts';
import { parseStaticPath } from './static-path.ts';
import type { StaticPath } from './static-path.ts';

/** The static file or redirect for a path. */
export type Found =
  | { file: StaticFile; /** Whether the path is exactly the name of the file. */ isNamed: boolean }
  | Redirect;

/** What is wrong with the path's trailing slash. */
export interface Redirect {
  slash: 'missing' | 'extra';
  isNamed: false;
}

/**
 * Finds the static file for a path: the file itself, `about.html` for `/about`, `docs/index.html` for `/docs/`. At
 * `/about/` and `/docs`, these pages' relative links would be wrong, so both redirect to the other form.
 *
 * @param target – as written in the request, or the complete URL.
 */
export function findFile(index: FileIndex, target: string): Found | undefined {
  const staticPath = parseStaticPath(target);
  return staticPath && find(index, staticPath);
}

/** The target of a redirect: the same path and query with the slash added or removed. */
export function toLocation({ slash }: Redirect, target: string): string {
  const [, path = '', search = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/i.exec(target) ?? [];
  // Two slashes at the beginning would mean another host.
  const own = path.replace(/^[/\\]+/, '/');
  return (slash === 'missing' ? `${own}/` : own.slice(0, -1)) + search;
}

function find(files: FileIndex, { name, isFolder }: StaticPath): Found | undefined {
  const index = files.get(name === '' ? 'index.html' : `${name}/index.html`);
  const named = isFolder ? undefined : files.get(name);
  if (named) return { file: named, isNamed: true };
  const page = name === '' ? undefined : files.get(`${name}.html`);
  if (isFolder) {
    if (index) return { file: index, isNamed: false };
    return page && { slash: 'extra', isNamed: false };
  }
  if (page) return { file: page, isNamed: false };
  return index && { slash: 'missing', isNamed: false };
}
