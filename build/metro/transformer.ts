import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { isInstalled } from '../packages/package-of.ts';
import { formatProblem } from '../problem.ts';
import { isInside, toProjectPath } from '../app/project-path.ts';
import { toRealPath } from '../app/real-path.ts';
import { isServerFile, toClientProblem, toServerModule } from '../secrets/server-code.ts';
import { stripServerExports } from '../secrets/strip-server-exports.ts';
import type { BabelTransformer } from './metro-types.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const EXTENSION = path.extname(import.meta.url);

/**
 * Wraps an app's Babel transformer, so that its pages come without their loaders and its routes are left out entirely.
 *
 * @param options – `babelTransformer` is the module to wrap. Both are absolute paths.
 */
export function createTransformer({
  babelTransformer,
  routesFolder,
}: {
  babelTransformer: string;
  routesFolder?: string;
}): Required<BabelTransformer> {
  const inner = createRequire(import.meta.url)(babelTransformer) as BabelTransformer; // what Metro takes it for
  // Metro names a file by its real path.
  const folders = routesFolder === undefined ? [] : [routesFolder, toRealPath(routesFolder)];
  const isPage = (file: string): boolean =>
    folders.some((folder) => isInside(folder, file)) && SOURCE.test(file) && !isInstalled(file);
  return {
    transform(args) {
      const { projectRoot } = args.options;
      const file = path.resolve(projectRoot, args.filename);
      if (isServerFile(file)) {
        // An entry is not resolved, and a development server accepts any requested file as one.
        const name = toProjectPath(projectRoot, file);
        throw new Error(formatProblem(toClientProblem([name], { name, what: toServerModule(name) })));
      }
      return inner.transform(isPage(file) ? { ...args, src: strip(args.src, { file, projectRoot }) } : args);
    },
    // Metro's cache depends on the current version of this transformer and of the one it wraps.
    getCacheKey() {
      const hash = createHash('sha256');
      const own = ['../secrets/strip-server-exports', '../secrets/remove-exports'].map(
        (name) => new URL(`${name}${EXTENSION}`, import.meta.url),
      );
      for (const file of [babelTransformer, new URL(import.meta.url), ...own]) hash.update(readFileSync(file));
      return hash.update(`${routesFolder}\0${inner.getCacheKey?.() ?? ''}`).digest('hex');
    },
  };
}

function strip(source: string, { file, projectRoot }: { file: string; projectRoot: string }): string {
  const stripped = stripServerExports(source, { file, projectRoot });
  if (!stripped) return source;
  // A Metro transformer cannot inspect another module.
  const stars = stripped.stars.map(({ specifier, position }) => ({
    ...position,
    message: `By export * from '${specifier}' the client may load what that exports for the server.`,
    fix: `Name each export: export { default } from '${specifier}';`,
  }));
  const problems = [...stripped.problems, ...stars];
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  return stripped.code;
}
