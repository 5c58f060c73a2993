import { rolldown } from 'rolldown';
import type { ModuleInfo, OutputChunk, RolldownLog, RolldownOutput } from 'rolldown';
import { freeExternalMemory } from 'rolldown/experimental';
import { parseSync } from 'rolldown/utils';

import { forget, startAttempt } from './attempt.ts';
import type { Attempt, AttemptOptions, Bundle, BundleOptions, Found } from './attempt.ts';
import { listErrors, toBundlerFailure, toProblem } from './bundler-log.ts';
import { toInputOptions, toOutputOptions } from './bundler-options.ts';
import { findShareable } from './facades.ts';
import { findLostBinaries } from '../packages/lost-binaries.ts';
import { findWorkerVariants } from '../packages/worker-variants.ts';
import { isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';
import { ANCHOR_NAME, findRelays } from './plugins/relayed-exports.ts';
import type { ServerFile } from '../app/scan.ts';
import { isCommonJs, toEntryName, toServerChunks } from './server-chunks.ts';
import { putAside } from './plugins/set-aside.ts';
import type { SetAside } from './plugins/set-aside.ts';

/**
 * Bundles source files together, so that a module that several of them import exists once. The bundler stops at the
 * first kind of error it meets: an unresolved path hides a syntax error, which hides a missing export. So each error
 * found is set aside and the files are bundled again, until no new one appears.
 *
 * @param entries – with a single entry, each problem is surely about that file.
 */
export async function bundle(entries: readonly ServerFile[], options: BundleOptions): Promise<Bundle> {
  const setAside: SetAside = { imports: new Set(), files: new Set(), forceJsx: false, missingExports: false };
  const found: Found = { sharedRoutes: new Map(), relays: { sources: new Set(), later: new Set() } };
  const problems: Problem[] = [];
  for (;;) {
    const attempt = await tryBundle({ entries, options, setAside, found });
    problems.push(...attempt.problems);
    if (!attempt.again) return { ...attempt, problems };
  }
}

/** The result of an attempt, and whether another attempt would find more. */
type Tried = Bundle & { again: boolean };

async function tryBundle(options: AttemptOptions): Promise<Tried> {
  const attempt = startAttempt(options);
  const build = await rolldown(toInputOptions(attempt));
  try {
    const { output } = await build.generate(toOutputOptions(attempt));
    return readOutput(attempt, output);
  } catch (error) {
    return readErrors(attempt, error);
  } finally {
    await build.close();
    forget(attempt);
  }
}

function readOutput(attempt: Attempt, output: RolldownOutput['output']): Tried {
  const { entries, setAside, found, modules, result } = attempt;
  const chunks = output
    .filter((file) => file.type === 'chunk')
    .filter(({ name, isEntry }) => !isEntry || name !== ANCHOR_NAME);
  const mayHaveJsx = [...modules.keys()].some(isJsx);
  if (mayHaveJsx && !setAside.forceJsx && chunks.some(hasJsx)) {
    setAside.forceJsx = true;
    return { ...result, problems: [], again: true };
  }
  // Not matched by path: the bundler resolves links.
  const ofEntries = new Map(chunks.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.name, chunk]));
  if (findMore(found, { modules, chunks: entries.map((entry, index) => ofEntries.get(toEntryName(index, entry))) })) {
    return { ...result, problems: [], again: true };
  }
  result.chunks = toServerChunks(chunks, attempt);
  addFiles(attempt, ofEntries);
  addModules(attempt, chunks);
  judgeUnresolved(attempt, chunks);
  const moduleIds = chunks.flatMap((chunk) => chunk.moduleIds);
  // One warning is enough for a package.
  const lost = new Map([
    ...findWorkerVariants(moduleIds, attempt.options),
    ...attempt.lostPackageFiles.warn(moduleIds),
    ...findLostBinaries(moduleIds),
  ]);
  result.warnings.push(...lost.values());
  // The bundler's own copies of code and maps would otherwise stay until the next garbage collection, which cannot see
  // their size.
  for (const file of output) freeExternalMemory(file);
  return { ...result, again: false };
}

function readErrors({ result, context, setAside }: Attempt, error: unknown): Tried {
  const errors = listErrors(error);
  if (errors.length === 0) throw error;
  const failure = toBundlerFailure(errors);
  if (failure) throw failure;
  const problems = errors.map((log) => toProblem(log, context));
  const again = errors.map((log, index) => putAside(log, problems[index], { setAside, context })).some(Boolean);
  return { ...result, problems: again ? problems : [...problems, ...result.problems], again };
}

function addFiles(
  { entries, setAside, sources, modules, result }: Attempt,
  chunks: ReadonlyMap<string, OutputChunk>,
): void {
  for (const [index, entry] of entries.entries()) {
    const { file } = entry;
    const chunk = chunks.get(toEntryName(index, entry));
    if (!chunk) throw new Error(`The bundler produced no output for ${file}.`);
    if (setAside.files.has(sources[index] ?? '')) continue;
    result.files.set(file, { chunk: chunk.fileName, exports: isCommonJs(chunk, modules) ? [] : chunk.exports });
  }
}

function addModules({ options, modules, result }: Attempt, chunks: readonly OutputChunk[]): void {
  const ids = chunks.flatMap(({ moduleIds }) => moduleIds);
  for (const id of ids) if (!isInstalled(id)) result.modules.push(id);
  if (options.offered === true) result.shareable = findShareable(modules, new Set(ids));
}

function judgeUnresolved({ unresolved, context, report, warnMissing }: Attempt, chunks: readonly OutputChunk[]): void {
  for (const log of unresolved) {
    if (isNeededAtStart(log, chunks)) report(toProblem(log, context));
    else warnMissing(log.id ?? context.entry, log.exporter ?? '');
  }
}

/**
 * Finds routes that other files import, and relayed exports; both need another attempt. Returns whether it found new
 * ones.
 */
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
 * in any case. A package may be able to do without what it imports later.
 */
function isNeededAtStart({ id, exporter = '' }: RolldownLog, chunks: readonly OutputChunk[]): boolean {
  return id === undefined || !isInstalled(id) || chunks.some(({ imports }) => imports.includes(exporter));
}

/** `"jsx": "preserve"` in `tsconfig.json` is meant for a bundler whose output another one compiles. */
function hasJsx(chunk: OutputChunk): boolean {
  if (!chunk.moduleIds.some(isJsx)) return false;
  return parseSync('route.js', chunk.code, { lang: 'js', sourceType: 'commonjs' }).errors.length > 0;
}

function isJsx(file: string): boolean {
  return /\.[jt]sx$/.test(file);
}
