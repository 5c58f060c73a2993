import { readFileSync } from 'node:fs';
import path from 'node:path';

import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import type { ListNames } from '../app/written-name.ts';
import type { Problem } from '../problem.ts';
import { findMisnamed } from './misnamed-module.ts';

/** The style sheets of Vite whose source is CSS. Vite compiles a style sheet in its transform, and loads no module for what it names. */
export const STYLE_SHEET: RegExp = /\.css(?:\?(?:direct|inline))?$/;

/**
 * Says where a style sheet, or one that it imports, names a file of the app in another letter case than its disk has. On macOS
 * and Windows alone such a file is found.
 */
export function findMisnamedInStyles(
  sheet: { id: string; code: string },
  options: { projectRoot: string; list?: ListNames | undefined },
): Problem[] {
  const seen = new Set<string>();
  const find = (file: string, code: string): Problem[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    return listNamed(file, code).flatMap(({ target, offset }) => {
      const misnamed = findMisnamed(target, options);
      if (!misnamed) return target.endsWith('.css') ? find(target, read(target)) : [];
      const { projectRoot } = options;
      const asked = toProjectPath(projectRoot, misnamed.file);
      return {
        file: toProjectPath(projectRoot, file),
        ...toSourcePosition(code, offset),
        message: `It names ${asked}, but the file is called ${misnamed.written}.`,
        fix: 'Write the name as the file has it: Linux finds no other.',
      };
    });
  };
  const [file = sheet.id] = sheet.id.split('?');
  return find(path.normalize(file), sheet.code);
}

const TEXT = /(["'])(?:\\[^]|[^\\\n])*?\1/;
const COMMENT_OR_TEXT = new RegExp(`/\\*[^]*?(?:\\*/|$)|${TEXT.source}`, 'g');
const NAME = /\burl\(\s*([^\s"'()]+)(?=\s*\))|(\burl\(\s*|@import\s*)?(?:(["'])((?:\\[^]|[^\\\n])*?)\3)/gi;
// What comes before a text that is a name, since the last declaration.
const BEFORE_NAME = /\bimage-set\((?:[^()]|\([^()]*\))*$|\bcomposes\s*:[^]*\sfrom\s*$/i;
// Of another origin, of public/, or a part of the document itself.
const ELSEWHERE = /^(?:[a-z][\w+.-]*:|\/|#|$)/i;

/** The files that a style sheet names relative to its folder. */
function listNamed(file: string, code: string): { target: string; offset: number }[] {
  const text = code.replace(COMMENT_OR_TEXT, (part) => (part.startsWith('/*') ? ' '.repeat(part.length) : part));
  let declaration = 0;
  return [...text.matchAll(NAME)].flatMap(({ 0: whole, 1: bare, 2: before, 3: quote = '', 4: quoted = '', index }) => {
    if (bare === undefined && before === undefined) {
      declaration = Math.max(declaration, text.lastIndexOf(';', index), text.lastIndexOf('{', index));
      if (!BEFORE_NAME.test(text.slice(declaration, index))) return [];
    }
    const name = bare ?? quoted;
    if (ELSEWHERE.test(name)) return [];
    const target = path.resolve(path.dirname(file), decoded(name.replace(/[?#].*$/s, '')));
    return { target, offset: index + whole.lastIndexOf(name) - quote.length };
  });
}

function decoded(name: string): string {
  try {
    return decodeURI(name);
  } catch {
    return name;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Vite says that it does not exist
  }
}
