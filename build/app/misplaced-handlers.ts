import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';

import { METHODS } from './check-exports.ts';
import { findExportedValue } from './exported-value.ts';
import { toRouteName } from './misnamed.ts';
import { explainNonFunction } from './non-function.ts';
import type { Problem } from '../problem.ts';
import { toSourcePosition } from './source-position.ts';

/** Reports pages that export handlers: they would be routes if they were named so. */
export function findMisplacedHandlers(pages: readonly string[], { projectRoot }: { projectRoot: string }): Problem[] {
  const problems: Problem[] = [];
  for (const file of pages) {
    const source = readFileSync(path.join(projectRoot, file), 'utf8');
    const problem = findHandler(file, source);
    if (problem) problems.push(problem);
  }
  return problems;
}

function findHandler(file: string, source: string): Problem | undefined {
  if (!METHODS.some((method) => source.includes(method))) return undefined;
  const parsed = parseSync(file, source);
  for (const { exportName, isType } of parsed.module.staticExports.flatMap(({ entries }) => entries)) {
    const { name, start } = exportName;
    if (isType || name === null || start === null || !METHODS.some((method) => method === name)) continue;
    // A reducer's action may be called DELETE too.
    const value = findExportedValue(parsed, name);
    if (value && explainNonFunction(value)) continue;
    return {
      file,
      ...toSourcePosition(source, start),
      message: `The handler ${name} is never called: the name of a route ends in +api.`,
      fix: `Rename the file to ${toRouteName(file)}, or move it out of the routes folder.`,
    };
  }
  return undefined;
}
