import path from 'node:path';

import { rolldown } from 'rolldown';
import type { ModuleInfo, OutputChunk, RolldownLog } from 'rolldown';
import { freeExternalMemory } from 'rolldown/experimental';
import { parseSync } from 'rolldown/utils';

import { listErrors, toProblem } from './bundler-log.ts';
import type { LogContext } from './bundler-log.ts';
import type { ReadModules } from '../cache/inputs.ts';
import { createExternalPlugin } from '../packages/external-packages.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import { createFacadePlugin, findShareable, toFacadeInputs } from './facades.ts';
import type { ShareableModule } from './facades.ts';
import { findLostBinaries } from '../packages/lost-binaries.ts';
import { lightFetch } from './light-fetch.ts';
import { createNativeAddonPlugin } from '../packages/native-addons.ts';
import { createOptionalRequirePlugin } from './plugins/optional-requires.ts';
import { createJsonPlugin } from './plugins/json-modules.ts';
import { isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { ANCHOR_NAME, createRelayPlugin, findRelays, toAnchorInput } from './plugins/relayed-exports.ts';
import type { Relays } from './plugins/relayed-exports.ts';
import { createRetryPlugin } from './plugins/retry-runtime.ts';
import type { ServerFile } from '../app/scan.ts';
import { toChunkNames, toEntryName, toServerChunks } from './server-chunks.ts';
import type { ServerChunk } from './server-chunks.ts';
import { createSharedRoutesPlugin } from './plugins/shared-routes.ts';
import type { SharedRoutes } from './plugins/shared-routes.ts';
import { createAssetPlugin } from './plugins/assets.ts';
import type { Asset } from './plugins/assets.ts';
import { createServerOnlyPlugin } from './plugins/server-only.ts';
import { createSetAsidePlugin, putAside } from './plugins/set-aside.ts';
import type { SetAside } from './plugins/set-aside.ts';
import { throwingFunctions } from './throwing-functions.ts';

/** What bundling files depends on beside the files. */
export interface BundleOptions {
  projectRoot: string;
  /** Packages that stay outside. */
  external: readonly string[];
  minify: boolean;
  /** Leave Request, Response and fetch the globals they are. */
  strictFetch: boolean;
  /** Modules that pages ask for. Default: none. */
  shared?: readonly ShareableModule[];
}

/** Source files with everything they import, in chunks of which several files may need the same. */
export interface Bundle {
  /** The files that could be read to the end, by their paths. */
  files: Map<string, BundledSource>;
  /** By their names, relative to the server build; those of entries are not where they go. */
  chunks: Map<string, ServerChunk>;
  external: ExternalUse[];
  /** Files whose URLs the code knows. */
  assets: Asset[];
  /** The modules of the app that are in it, by their absolute paths. */
  modules: string[];
  /** The modules in it that pages could have from it. */
  shareable: ShareableModule[];
  /** What was looked at to make it. */
  read: ReadModules;
  problems: Problem[];
  warnings: string[];
}

/** A file in a bundle. */
export interface BundledSource {
  /** The name of its chunk. */
  chunk: string;
  /** The names it exports. */
  exports: string[];
}

/**
 * Bundles source files together, so that what several of them import is there once.
 *
 * The bundler stops at the first kind of error it meets: an unresolved path hides a syntax error, and that a missing
 * export. So whatever was found is taken out of the way and the files are bundled again, until nothing new comes up.
 *
 * @param entries – with one alone, each problem is surely about that file.
 */
export async function bundle(entries: readonly ServerFile[], options: BundleOptions): Promise<Bundle> {
  const setAside: SetAside = { imports: new Set(), files: new Set(), forceJsx: false, missingExports: false };
  const found: Found = { sharedRoutes: new Map(), relays: { sources: new Set(), later: new Set() } };
  const problems: Problem[] = [];
  for (;;) {
    const attempt = await tryBundle(entries, options, { setAside, found });
    problems.push(...attempt.problems);
    if (!attempt.again) return { ...attempt, problems };
  }
}

/** What an attempt has found that the next one must care for. */
interface Found {
  sharedRoutes: SharedRoutes;
  relays: Relays;
}

async function tryBundle(
  entries: readonly ServerFile[],
  options: BundleOptions,
  { setAside, found }: { setAside: SetAside; found: Found },
): Promise<Bundle & { again: boolean }> {
  const { projectRoot } = options;
  const context: LogContext = { projectRoot, entry: entries[0]?.file ?? '' };
  const looked = { modules: [] as string[], missing: [] as { importer: string; specifier: string }[] };
  const result: Bundle = {
    files: new Map(),
    chunks: new Map(),
    external: [],
    assets: [],
    modules: [],
    shareable: [],
    read: looked,
    problems: [],
    warnings: [],
  };
  const unresolved: RolldownLog[] = [];
  const warnMissing = (importer: string, specifier: string): void => {
    looked.missing.push({ importer, specifier });
    const file = toProjectPath(projectRoot, importer);
    result.warnings.push(`${file}: ${specifier} is not installed. It is looked for at run time.`);
  };
  const report = (problem: Problem): void => void result.problems.push(problem);
  const sources = entries.map(({ file }) => path.join(projectRoot, file));
  const modules = new Map<string, ModuleInfo>();

  const build = await rolldown({
    cwd: projectRoot,
    input: {
      ...Object.fromEntries(sources.map((source, index) => [toEntryName(index), source])),
      ...toAnchorInput(found.relays),
      ...toFacadeInputs(projectRoot, options.shared ?? []),
    },
    platform: 'node',
    // The oldest Node that appkit-server runs on. Its `require` also reads ES modules, so an external one works.
    transform: {
      target: 'node20.19',
      ...(setAside.forceJsx ? { jsx: { runtime: 'automatic' } } : {}),
      define: { ...throwingFunctions, ...(options.strictFetch ? {} : lightFetch) },
    },
    shimMissingExports: setAside.missingExports,
    plugins: [
      createSetAsidePlugin(setAside),
      createRetryPlugin(),
      createSharedRoutesPlugin(sources, found.sharedRoutes),
      createRelayPlugin(found.relays),
      createFacadePlugin(options.shared ?? []),
      createOptionalRequirePlugin(warnMissing),
      createNativeAddonPlugin(projectRoot, report),
      createExternalPlugin(options.external, {
        projectRoot,
        onUse: (use) => result.external.push(use),
        report,
      }),
      createServerOnlyPlugin(),
      createJsonPlugin(),
      createAssetPlugin(projectRoot, (asset) => result.assets.push(asset)),
      {
        name: 'appkit:read-modules',
        buildEnd() {
          looked.modules.push(...this.getModuleIds());
          for (const id of looked.modules) {
            const info = this.getModuleInfo(id);
            if (info) modules.set(id, info);
          }
        },
      },
    ],
    onLog(level, log) {
      if (level !== 'warn') return;
      if (log.code === 'UNRESOLVED_IMPORT') unresolved.push(log);
      // What another import of the same module has loaded by then is of no weight.
      else if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
      else if (log.id !== undefined && !isInstalled(log.id)) result.warnings.push(toWarning(log, context));
    },
  });
  try {
    const { output } = await build.generate({
      // Not written: with this, sources in the map are relative to the project.
      dir: projectRoot,
      format: 'cjs',
      exports: 'named',
      ...toChunkNames(entries),
      codeSplitting: true,
      // What several files need is in chunks of its own, which would otherwise run before all else that a file imports.
      strictExecutionOrder: true,
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
      // An error is recognised by its name in logs and in `error.name = new.target.name`.
      keepNames: true,
      minify: options.minify,
    });
    const chunks = output
      .filter((file) => file.type === 'chunk')
      .filter(({ name, isEntry }) => !isEntry || name !== ANCHOR_NAME);
    if (!setAside.forceJsx && chunks.some(hasJsx)) {
      setAside.forceJsx = true;
      return { ...result, problems: [], again: true };
    }
    // Not by their paths: the bundler's are those of what links lead to.
    const ofEntries = new Map(chunks.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.name, chunk]));
    if (findMore(found, { modules, chunks: entries.map((_, index) => ofEntries.get(toEntryName(index))) })) {
      return { ...result, problems: [], again: true };
    }
    result.chunks = toServerChunks(chunks);
    for (const [index, { file }] of entries.entries()) {
      const chunk = ofEntries.get(toEntryName(index));
      if (!chunk) throw new Error(`The bundler has made nothing of ${file}.`);
      if (setAside.files.has(path.join(projectRoot, file))) continue;
      result.files.set(file, { chunk: chunk.fileName, exports: chunk.exports });
    }
    for (const { moduleIds } of chunks) result.modules.push(...moduleIds.filter((id) => !isInstalled(id)));
    result.shareable = findShareable(modules, new Set(chunks.flatMap(({ moduleIds }) => moduleIds)));
    for (const log of unresolved) {
      if (isNeededAtStart(log, chunks)) report(toProblem(log, context));
      else warnMissing(log.id ?? context.entry, log.exporter ?? '');
    }
    result.warnings.push(...findLostBinaries(chunks.flatMap(({ moduleIds }) => moduleIds)));
    // The bundler's own copies of code and maps would stay until JavaScript next collects garbage, which cannot see their size.
    for (const file of output) freeExternalMemory(file);
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

/** Finds what the bundler makes something else of. Answers whether there is more than before. */
function findMore(
  found: Found,
  { modules, chunks }: { modules: ReadonlyMap<string, ModuleInfo>; chunks: readonly (OutputChunk | undefined)[] },
): boolean {
  const known = found.sharedRoutes.size + found.relays.later.size;
  for (const [index, chunk] of chunks.entries()) {
    const info = modules.get(chunk?.facadeModuleId ?? '');
    if (!chunk || !info || found.sharedRoutes.has(index)) continue;
    if (info.importers.length + info.dynamicImporters.length === 0) continue;
    found.sharedRoutes.set(index, info.inputFormat === 'cjs' ? 'CommonJS' : chunk.exports);
  }
  if (found.relays.later.size === 0) found.relays = findRelays(modules);
  return found.sharedRoutes.size + found.relays.later.size > known;
}

/**
 * Static imports are loaded with the bundle, so a missing one breaks the route; in the app's own code it is a mistake
 * anyway. What a package asks for later may be something it can do without.
 */
function isNeededAtStart({ id, exporter = '' }: RolldownLog, chunks: readonly OutputChunk[]): boolean {
  return id === undefined || !isInstalled(id) || chunks.some(({ imports }) => imports.includes(exporter));
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
