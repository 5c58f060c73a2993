import { readFileSync } from 'node:fs';
import path from 'node:path';

import { listErrors, toProblem } from './bundler-log.ts';
import { findRequest } from './module-requests.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';

/**
 * How Vite 8 reports, in development, a module that imports something that does not exist: twice on the server, then
 * for the client.
 */
const UNRESOLVED = [
  /^Failed to load url (?<specifier>.+?) \(resolved id: .*\) in (?<importer>.+)\. Does the file exist\?/,
  /^Cannot find module '(?<specifier>.+)' imported from '(?<importer>.+)'/,
  /^Failed to resolve import "(?<specifier>.+)" from "(?<importer>.+)"\. Does the file exist\?/,
];

/**
 * Explains in the words of an export why Vite could not load a module in development: a syntax error, or an import that
 * does not exist. Returns nothing for any other error.
 */
export function findModuleProblem(error: unknown, projectRoot: string): Problem | undefined {
  const [first] = listErrors(error);
  if (first?.code === 'PARSE_ERROR') return toProblem(first, { projectRoot, entry: first.id ?? '' });
  if (!(error instanceof Error)) return undefined;
  for (const pattern of UNRESOLVED) {
    const { specifier, importer } = pattern.exec(error.message)?.groups ?? {};
    if (specifier !== undefined && importer !== undefined) return toUnresolved(specifier, { importer, projectRoot });
  }
  return undefined;
}

function toUnresolved(
  specifier: string,
  { importer, projectRoot }: { importer: string; projectRoot: string },
): Problem | undefined {
  const [named = ''] = importer.split('?');
  const file = path.resolve(projectRoot, named);
  const offset = findRequest(file, (request) => request === specifier);
  // An import that is not in the source, such as one from a plugin, is explained by the code that added it.
  if (offset === undefined) return undefined;
  const { file: place, ...explained } = toProblem(
    { code: 'UNRESOLVED_IMPORT', message: '', exporter: specifier, id: file },
    { projectRoot, entry: toProjectPath(projectRoot, file) },
  );
  return { file: place, ...toSourcePosition(readFileSync(file, 'utf8'), offset), ...explained };
}
