import path from 'node:path';

import { type OutputChunk, rolldown, type RolldownLog } from 'rolldown';
import { freeExternalMemory } from 'rolldown/experimental';
import { parseSync } from 'rolldown/utils';

import { listErrors, type LogContext, toProblem } from './bundler-log.ts';
import type { ReadModules } from './cache/inputs.ts';
import { createExternalPlugin, type ExternalUse } from './external-packages.ts';
import { findLostBinaries } from './lost-binaries.ts';
import { createLightFetchPlugin, lightFetch } from './light-fetch.ts';
import { createNativeAddonPlugin } from './native-addons.ts';
import { createOptionalRequirePlugin } from './optional-requires.ts';
import { isInstalled } from './package-of.ts';
import type { Problem } from './problem.ts';
import { toProjectPath } from './project-path.ts';
import { type Asset, createAssetPlugin } from './site/assets.ts';
import { createServerOnlyPlugin } from './site/server-only.ts';
import { createSetAsidePlugin, putAside, type SetAside } from './set-aside.ts';
import { throwingFunctions } from './throwing-functions.ts';

/** What bundling one file depends on beside the file. */
export interface BundleOptions {
  projectRoot: string;
  /** Packages that stay outside. */
  external: readonly string[];
  minify: boolean;
  /** Leave Request, Response and fetch the globals they are. */
  strictFetch: boolean;
}

/** One route or middleware with everything it imports, as one CommonJS file. */
export interface Bundle {
  code: string;
  /** As the bundler writes it for a file at the top of the project, without a link to it in `code`. */
  map: string;
  /** The names it exports; absent when its file could not be read to the end. */
  exports?: string[];
  external: ExternalUse[];
  /** Files it knows the URL of. */
  assets: Asset[];
  /** The modules of the app that are in it, by their absolute paths. */
  modules: string[];
  /** What was looked at to make it. */
  read: ReadModules;
  problems: Problem[];
  warnings: string[];
}

/**
 * Bundles one source file.
 *
 * The bundler stops at the first kind of error it meets: an unresolved path hides a syntax error, and that a missing
 * export. So whatever was found is taken out of the way and the file is bundled again, until nothing new comes up.
 */
export async function bundle(entry: string, options: BundleOptions): Promise<Bundle> {
  const setAside: SetAside = { imports: new Set(), files: new Set(), forceJsx: false, missingExports: false };
  const problems: Problem[] = [];
  for (;;) {
    const attempt = await tryBundle(entry, options, setAside);
    problems.push(...attempt.problems);
    if (!attempt.again) return { ...attempt, problems };
  }
}

async function tryBundle(
  entry: string,
  options: BundleOptions,
  setAside: SetAside,
): Promise<Bundle & { again: boolean }> {
  const context: LogContext = { projectRoot: options.projectRoot, entry };
  const looked = { modules: [] as string[], missing: [] as { importer: string; specifier: string }[] };
  const result: Bundle = {
    code: '',
    map: '',
    external: [],
    assets: [],
    modules: [],
    read: looked,
    problems: [],
    warnings: [],
  };
  const unresolved: RolldownLog[] = [];
  const warnMissing = (importer: string, specifier: string): void => {
    looked.missing.push({ importer, specifier });
    const file = toProjectPath(options.projectRoot, importer);
    result.warnings.push(`${file}: ${specifier} is not installed. It is looked for at run time.`);
  };
  const report = (problem: Problem): void => void result.problems.push(problem);

  const build = await rolldown({
    cwd: options.projectRoot,
    input: { route: path.join(options.projectRoot, entry) },
    platform: 'node',
    // The oldest Node that appkit-server runs on. Its `require` also reads ES modules, so an external one works.
    transform: {
      target: 'node20.19',
      ...(setAside.forceJsx ? { jsx: { runtime: 'automatic' } } : {}),
      define: { ...throwingFunctions, ...(options.strictFetch ? {} : lightFetch.define) },
      ...(options.strictFetch ? {} : { inject: lightFetch.inject }),
    },
    shimMissingExports: setAside.missingExports,
    plugins: [
      createSetAsidePlugin(setAside),
      createLightFetchPlugin(),
      createOptionalRequirePlugin(warnMissing),
      createNativeAddonPlugin(options.projectRoot, report),
      createExternalPlugin(options.external, {
        projectRoot: options.projectRoot,
        onUse: (use) => result.external.push(use),
        report,
      }),
      createServerOnlyPlugin(),
      createAssetPlugin(options.projectRoot, (asset) => result.assets.push(asset)),
      {
        name: 'appkit:read-modules',
        buildEnd() {
          looked.modules.push(...this.getModuleIds());
        },
      },
    ],
    onLog(level, log) {
      if (level !== 'warn') return;
      if (log.code === 'UNRESOLVED_IMPORT') unresolved.push(log);
      else if (log.id !== undefined && !isInstalled(log.id)) result.warnings.push(toWarning(log, context));
    },
  });
  try {
    const { output } = await build.generate({
      // Not written: with this, sources in the map are relative to the project.
      dir: options.projectRoot,
      format: 'cjs',
      exports: 'named',
      codeSplitting: false,
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
      // An error is recognised by its name in logs and in `error.name = new.target.name`.
      keepNames: true,
      minify: options.minify,
    });
    const [chunk] = output;
    if (!setAside.forceJsx && hasJsx(chunk)) {
      setAside.forceJsx = true;
      return { ...result, problems: [], again: true };
    }
    Object.assign(result, { code: chunk.code, map: chunk.map?.toString() ?? '' });
    if (!setAside.files.has(path.join(options.projectRoot, entry))) result.exports = chunk.exports;
    for (const log of unresolved) {
      if (isNeededAtStart(log, chunk)) report(toProblem(log, context));
      else warnMissing(log.id ?? entry, log.exporter ?? '');
    }
    result.modules.push(...chunk.moduleIds.filter((id) => !isInstalled(id)));
    result.warnings.push(...findLostBinaries(chunk));
    // The bundler's own copy of code and map would stay until JavaScript next collects garbage, which cannot see its size.
    freeExternalMemory(chunk);
    return { ...result, again: false };
  } catch (error) {
    const errors = listErrors(error);
    if (errors.length === 0) throw error;
    const problems = errors.map((log) => toProblem(log, context));
    const again = errors.map((log, index) => putAside(log, problems[index], { setAside, context })).some(Boolean);
    return { ...result, problems: again ? problems : [...problems, ...result.problems], again };
  } finally {
    await build.close();
  }
}

/**
 * Static imports are loaded with the bundle, so a missing one breaks the route; in the app's own code it is a mistake
 * anyway. What a package asks for later may be something it can do without.
 */
function isNeededAtStart(log: RolldownLog, chunk: OutputChunk): boolean {
  return log.id === undefined || !isInstalled(log.id) || chunk.imports.includes(log.exporter ?? '');
}

/** `"jsx": "preserve"` in `tsconfig.json` is advice for a bundler that hands its output to another one. */
function hasJsx(chunk: OutputChunk): boolean {
  if (!chunk.moduleIds.some((id) => /\.[jt]sx$/.test(id))) return false;
  return parseSync('route.js', chunk.code, { lang: 'js', sourceType: 'commonjs' }).errors.length > 0;
}

function toWarning(log: RolldownLog, context: LogContext): string {
  const { file, line, message, fix } = toProblem(log, context);
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}${log.code === 'EMPTY_IMPORT_META' ? ` ${fix}` : ''}`;
}
