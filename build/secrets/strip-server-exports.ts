import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { parseSync } from 'rolldown/utils';
import type { Plugin, Rolldown } from 'vite';

import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import { inClient } from './client-check.ts';
import type { ClientCheck } from './client-check.ts';
import { FOREIGN_NAMES, isForeign, toForeignProblem } from './foreign-names.ts';
import { removeExports } from './remove-exports.ts';

/** The server exports of a page. */
const NAMES: readonly string[] = ['loader', 'action', 'generateStaticParams'];

/** A module without any of these strings is not parsed. An export may be spelled with an escape. */
const HINT = /loader|action|generateStaticParams|export\s*\*|\\u/;

/** The same for a module behind an `export *`, which may have the server exports of other frameworks. */
const PASSED_ON = new RegExp(`${HINT.source}|${FOREIGN_NAMES.join('|')}`);

/** The source of a page without its server exports. */
export interface StrippedPage {
  code: string;
  /** The exports that could not be removed. */
  problems: Problem[];
  /** Each `export * from`, which may re-export a server export. */
  stars: { specifier: string; position: Pick<Problem, 'file' | 'line' | 'column'> }[];
}

/**
 * Removes the server exports from the source of a page or a layout, with everything that only they need.
 *
 * @returns undefined when nothing has to be removed, or the source cannot be parsed.
 */
export function stripServerExports(
  source: string,
  { file, projectRoot }: { file: string; projectRoot: string },
): StrippedPage | undefined {
  const result = HINT.test(source) ? removeExports(source, { file, names: NAMES }) : undefined;
  if (!result) return undefined;
  const toPosition = (offset: number): Pick<Problem, 'file' | 'line' | 'column'> => ({
    file: toProjectPath(projectRoot, file),
    ...toSourcePosition(source, offset),
  });
  return {
    code: result.code,
    problems: result.kept.map(({ name, offset }) => ({
      ...toPosition(offset),
      message: `The export ${name} stays on the server, but code that runs in the client uses the same function or value.`,
      fix: 'Move what both need into a separate function that both call.',
    })),
    stars: result.stars.map(({ specifier, offset }) => ({ specifier, position: toPosition(offset) })),
  };
}

/**
 * Removes the server exports from the pages and layouts of a client build, with everything that only they need. The
 * sources are changed as they are read, not transformed afterwards, and keep every line and column: a source map of the
 * client is right without further work, and contains nothing from the server.
 */
export function createStripServerExportsPlugin({ projectRoot, isPage, report }: ClientCheck): Plugin {
  return {
    name: 'appkit:strip-server-exports',
    ...inClient,
    load: {
      // No plugin of the app may provide the source instead.
      order: 'pre',
      // Filtered in the bundler itself, so that packages cost nothing.
      filter: { id: { include: /\.[cm]?[jt]sx?$/, exclude: /[\\/]node_modules[\\/]/ } },
      async handler(id) {
        if (!isPage(id)) return null;
        // Synchronously: a site has hundreds of files, and waiting for one takes several times as long as reading it.
        const source = readFileSync(id, 'utf8');
        const result = stripServerExports(source, { file: id, projectRoot });
        if (!result) return null;
        result.problems.forEach(report);
        for (const { specifier, position } of result.stars) {
          const found = await findPassedOn(this, { specifier, importer: id });
          if (found === undefined) continue;
          if (isForeign(found.name, id)) {
            report(toForeignProblem(found.name, { ...position, specifier }));
            continue;
          }
          report({
            ...position,
            message: `By export * from '${specifier}' the client would load ${toProjectPath(projectRoot, found.file)} with its ${found.name}.`,
            fix: `Name each export: export { default } from '${specifier}'; export { ${found.name} } from '${specifier}';`,
          });
        }
        return result.code;
      },
    },
  };
}

/** Finds which module behind an `export *` has a server export. */
async function findPassedOn(
  context: Pick<Rolldown.PluginContext, 'resolve'>,
  { specifier, importer, seen = new Set() }: { specifier: string; importer: string; seen?: Set<string> },
): Promise<{ file: string; name: string } | undefined> {
  const resolved = await context.resolve(specifier, importer);
  if (!resolved || resolved.external || seen.has(resolved.id)) return undefined;
  const file = resolved.id;
  seen.add(file);
  const source = await readFile(file, 'utf8').catch(() => undefined);
  // The bundler reports anything that is not a file, or not code.
  if (source === undefined || !PASSED_ON.test(source)) return undefined;
  for (const { entries } of parseSync(file, source).module.staticExports) {
    for (const { exportName, importName, moduleRequest } of entries) {
      if (exportName.name !== null && [...NAMES, ...FOREIGN_NAMES].includes(exportName.name))
        return { file, name: exportName.name };
      if (importName.kind !== 'AllButDefault' || !moduleRequest) continue;
      const found = await findPassedOn(context, { specifier: moduleRequest.value, importer: file, seen });
      if (found) return found;
    }
  }
  return undefined;
}
