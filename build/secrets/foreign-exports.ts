import { parseSync, Visitor } from 'rolldown/utils';
import type { Plugin } from 'vite';

import { findExportedValue } from '../app/exported-value.ts';
import { explainNonFunction } from '../app/non-function.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import { createSourcePlugin } from './client-check.ts';
import type { ClientCheck } from './client-check.ts';
import { FOREIGN_NAMES, isForeign, toForeignProblem } from './foreign-names.ts';
import { stripServerExports } from './strip-server-exports.ts';

/** A module without any of these strings is not parsed. An export may be spelled with an escape. */
const HINT = new RegExp(String.raw`\b(?:${FOREIGN_NAMES.join('|')})\b|use server|\\u`);

const USE_SERVER = /['"]use server['"]/;

/**
 * Finds the server exports of another framework in a page or a layout. Nothing here would remove them from the client.
 *
 * @param file – relative to the project.
 */
export function findForeignExports(source: string, file: string): Problem[] {
  if (!HINT.test(source)) return [];
  const parsed = parseSync(file, source);
  if (parsed.errors.length > 0) return [];
  const exported = parsed.module.staticExports.flatMap(({ entries }) => entries).filter(({ isType }) => !isType);
  const problems = exported.flatMap(({ exportName: { name, start }, ...entry }): Problem[] => {
    if (name === null || !isForeign(name, file)) return [];
    const value = findExportedValue(parsed, name);
    if (value && explainNonFunction(value)) return [];
    const place = { file, ...toSourcePosition(source, start ?? entry.start) };
    return [toForeignProblem(name, place)];
  });
  // Code that is removed with the loader may be for the server.
  const kept = USE_SERVER.test(source) ? stripServerExports(source, { file, projectRoot: '' })?.code : undefined;
  return [...problems, ...findUseServer(kept ?? source, file)];
}

/**
 * Refuses a client with a module or a function marked by `'use server'`: other frameworks keep them on the server. In
 * development, importing one fails.
 */
export function createUseServerPlugin({ projectRoot, report }: Omit<ClientCheck, 'isPage'>): Plugin {
  return createSourcePlugin('appkit:use-server', {
    filter: { code: USE_SERVER },
    check(code, id, { isDevelopment }) {
      const problems = findUseServer(code, toProjectPath(projectRoot, id.replace(/\?.*/, '')));
      if (problems.length > 0 && isDevelopment) throw new ExportError(problems);
      problems.forEach(report);
    },
  });
}

function findUseServer(source: string, file: string): Problem[] {
  if (!USE_SERVER.test(source)) return [];
  const problems: Problem[] = [];
  new Visitor({
    ExpressionStatement({ directive, start }) {
      if (directive !== 'use server') return;
      const message = `'use server' means nothing here: the module would be in the client, with everything that it imports.`;
      const fix = 'Move the code into a route, which the page calls with fetch, or into a loader.';
      problems.push({ file, ...toSourcePosition(source, start), message, fix });
    },
  }).visit(parseSync(file, source).program);
  return problems;
}
