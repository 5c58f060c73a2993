import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

import type { ModuleInfo, Plugin } from 'rolldown';
import { parseSync, transformSync } from 'rolldown/utils';

import type { ServerFile } from '../../app/scan.ts';
import { isInstalled } from '../../packages/package-of.ts';
import type { Problem } from '../../problem.ts';
import { toProjectPath } from '../../app/project-path.ts';
import { removeExports } from '../../secrets/remove-exports.ts';

/** A page or a layout of which only the code for the server is bundled. */
export interface PagePart extends ServerFile {
  /** The exports that stay. */
  kept: readonly string[];
}

/** What the app's Vite configuration gives to loaders. */
export interface ViteTools {
  /** The code that stands for `import.meta.env`. */
  env: string;
  /** The constants of the app's configuration, with the code that stands for each. Routes have these, too. */
  constants: Readonly<Record<string, string>>;
  /** Resolves what the bundler cannot: to a file. */
  resolve: (specifier: string, importer: string) => Promise<string | undefined>;
}

/** How the loaders of pages are bundled. */
export interface PageOptions {
  /** What they have of Vite. Default: nothing. */
  tools?: ViteTools | undefined;
  /** Modules that routes import, too, by their absolute paths: these have only the constants. Default: none. */
  ofRoutes?: ReadonlySet<string> | undefined;
}

const STYLES = /\.(?:css|less|pcss|postcss|sass|scss|styl|stylus|sss)$/;
const NO_STYLES = '\0appkit-no-styles';
const CODE = /\.[cm]?[jt]sx?$/;
const ENV = 'import.meta.env';

/**
 * Bundles the loaders and actions of pages without their components: only the exports that stay, with what these need.
 * Style sheets that are left are empty. Reports `import.meta.env` that a loader needs and its module does not have.
 */
export function createPagePartsPlugin(
  parts: readonly PagePart[],
  {
    projectRoot,
    tools,
    ofRoutes = new Set(),
    report,
  }: PageOptions & { projectRoot: string; report(problem: Problem): void },
): Plugin | undefined {
  if (parts.length === 0) return undefined;
  const kept = new Map(parts.map((part) => [realpathSync(path.join(projectRoot, part.file)), part.kept]));
  const isOfLoaders = (file: string): boolean => path.isAbsolute(file) && !ofRoutes.has(file) && !isInstalled(file);
  /** Modules of routes that contain `import.meta.env`. */
  const withEnv = new Set<string>();
  return {
    name: 'appkit:page-parts',
    async resolveId(specifier, importer, { kind }) {
      if (importer === undefined || kind === 'new-url' || !isOfLoaders(importer)) return null;
      if (STYLES.test(specifier)) return NO_STYLES;
      if (!tools || /^[./\0]/.test(specifier)) return null;
      const found = await this.resolve(specifier, importer, { skipSelf: true });
      return found ?? (await tools.resolve(specifier, importer)) ?? null;
    },
    load(id) {
      if (id === NO_STYLES) return { code: 'module.exports = {};', moduleType: 'js' };
      const names = kept.get(id);
      return names ? keepExports(readFileSync(id, 'utf8'), { file: id, kept: names }) : null;
    },
    transform: {
      filter: { id: CODE },
      handler(code, id) {
        if (!tools || !code.includes('env')) return null;
        if (ofRoutes.has(id) && hasEnv(code, { id, constants: tools.constants })) withEnv.add(id);
        if (!isOfLoaders(id)) return null;
        // Together, because a constant may be a property of it.
        const define = { [ENV]: tools.env, ...tools.constants };
        const { map, ...defined } = transformSync(id, code, { define, jsx: 'preserve', sourcemap: true });
        // With an error in it, the bundler says where.
        if (defined.errors.length > 0) return null;
        const sources = map?.sources.map((source) => source ?? null) ?? [];
        return { code: defined.code, map: map ? { ...map, sources } : null, moduleType: 'jsx' };
      },
    },
    buildEnd() {
      for (const id of withEnv) {
        if (!isReached(id, kept, (other) => this.getModuleInfo(other))) continue;
        report({
          file: toProjectPath(projectRoot, id),
          message: `Only Vite replaces ${ENV}, and routes import this file too.`,
          fix: 'Move what routes and loaders share into another file.',
        });
      }
    },
  };
}

/** Whether a module reads `import.meta.env`, or a property of it that is not a constant. */
function hasEnv(code: string, { id, constants }: { id: string; constants: ViteTools['constants'] }): boolean {
  const compile = (define: ViteTools['constants']): string =>
    transformSync(id, code, { define: { ...define, ...constants }, jsx: 'preserve' }).code;
  return compile({ [ENV]: '{}' }) !== compile({});
}

/** Whether one of the parts imports a module, however indirectly. */
function isReached(
  id: string,
  parts: ReadonlyMap<string, unknown>,
  infoOf: (id: string) => Pick<ModuleInfo, 'importers' | 'dynamicImporters'> | null,
): boolean {
  const importers = new Set([id]);
  // Items added while the loop runs are visited as well.
  for (const each of importers) {
    if (parts.has(each)) return true;
    const info = infoOf(each);
    for (const importer of [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])]) importers.add(importer);
  }
  return false;
}

/** The source without its other exports. `null` when it cannot be parsed: the bundler says why. */
function keepExports(source: string, { file, kept }: { file: string; kept: readonly string[] }): string | null {
  const names = parseSync(file, source).module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName: { kind, name } }) => (kind === 'Default' ? ['default'] : (name ?? []))),
  );
  return removeExports(source, { file, names: names.filter((name) => !kept.includes(name)) })?.code ?? null;
}
