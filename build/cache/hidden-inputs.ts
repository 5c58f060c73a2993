import { existsSync } from 'node:fs';
import path from 'node:path';

import { readIfThere } from './file-state.ts';

const STYLE = /\.css$/;
/** Languages whose compilers read files without reporting them. */
const COMPILED_STYLE = /\.(?:less|sass|scss|styl|stylus|pcss|postcss|sss)$/;
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** How a style sheet names other files. */
const IN_STYLE =
  /(?:url\(|image-set\(|@import|\bfrom)\s*(?:url\()?\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"')][^\s)]*)\s*\))/g;
const IN_CODE = /new\s+URL\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)\s*,\s*import\.meta\.url/g;

/** A file name as it is written, and the folder that it is relative to. */
interface NamedFile {
  name: string;
  offset: number;
}

/** Finds the files that a style sheet imports and displays. */
export function findInStyle(text: string): NamedFile[] {
  return find(text, IN_STYLE);
}

/** Finds the files that code names with `new URL(…, import.meta.url)`. */
export function findInCode(text: string): NamedFile[] {
  return find(text, IN_CODE);
}

function find(text: string, pattern: RegExp): NamedFile[] {
  return [...text.matchAll(pattern)].map(({ index, 1: first, 2: second, 3: third }) => ({
    name: first ?? second ?? third ?? '',
    offset: index,
  }));
}

/**
 * Finds the files that Vite reads without making modules of them: those that style sheets import and display, and those
 * that code names with `new URL(…, import.meta.url)`.
 *
 * @returns undefined if they cannot be known: for `import.meta.glob`, a path that is not relative, or Sass and the
 * like.
 */
export function findHiddenInputs(modules: Iterable<string>): string[] | undefined {
  const found = new Set<string>();
  const seen = new Set<string>();
  const queue = [...modules].map((id) => id.replace(/\?[^?]*$/, ''));
  for (const file of queue) {
    if (seen.has(file) || !path.isAbsolute(file)) continue;
    seen.add(file);
    if (COMPILED_STYLE.test(file)) return undefined;
    if (!STYLE.test(file) && !CODE.test(file)) continue;
    const text = readIfThere(file)?.toString() ?? '';
    if (CODE.test(file) && /\bimport\.meta\.glob\b/.test(text)) return undefined;
    for (const { name } of STYLE.test(file) ? findInStyle(text) : findInCode(text)) {
      // Another host, `public`, or a part of the document.
      if (/^(?:[a-z][\w+.-]*:|\/\/|\/|#|$)/i.test(name)) continue;
      if (!/^\.{1,2}\//.test(name) || name.includes('${')) return undefined;
      const other = path.resolve(path.dirname(file), name.replace(/[?#].*$/, ''));
      for (const candidate of STYLE.test(file) ? [other, `${other}.css`] : [other]) {
        if (!existsSync(candidate)) continue;
        found.add(candidate);
        if (STYLE.test(candidate)) queue.push(candidate);
      }
    }
  }
  return [...found];
}
