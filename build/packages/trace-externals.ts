import { existsSync } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';

import { isHostModule } from './external-packages.ts';
import type { ExternalUse } from './external-packages.ts';
import { isNodeModules, listFiles } from '../output/list-files.ts';
import { findPackageOf, toPackageName } from './package-of.ts';
import { placePackages } from './place-packages.ts';
import type { PackageNeed } from './place-packages.ts';
import { findPlatformPackages } from './platform-packages.ts';
import type { Problem } from '../problem.ts';
import { isInside } from '../app/project-path.ts';

/** A file to copy into the server build. */
export interface TracedFile {
  /** Where it is installed. */
  from: string;
  /** Its target, relative to `dist/server`. */
  to: string;
}

/**
 * Finds every file that the external packages of an app need at run time, and a place for each in
 * `dist/server/node_modules`.
 *
 * @param options – `named`: packages that the used ones may load by a name of which no tracer knows, as pino does its transports.
 */
export async function traceExternals(
  uses: readonly ExternalUse[],
  { projectRoot, configFile, named = [] }: { projectRoot: string; configFile: string; named?: readonly string[] },
): Promise<{ files: TracedFile[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  const used = new Set(uses.map(({ specifier }) => toPackageName(specifier)));
  const unused = new Set(named.filter((name) => !used.has(name) && !isHostModule(name)));
  // If a package that nothing imports cannot be loaded, nothing loads it by its name.
  const report: Report = (specifier, error) => {
    if (!unused.has(specifier)) problems.push(toProblem(specifier, { configFile, error }));
  };
  const calls = listCalls(uses, { projectRoot, report });
  if (calls.length === 0) return { files: [], problems };
  for (const name of unused) calls.push(`require(${JSON.stringify(name)}); import(${JSON.stringify(name)});`);
  const { folders, needs } = await trace(calls, { projectRoot, report });
  const files = toTracedFiles(folders, placePackages(projectRoot, listNeeds(folders, { needs, projectRoot })));
  return { files, problems };
}

type Report = (specifier: string, error: unknown) => void;

/** The packages' needs for each other, each once. */
type Needs = Map<string, PackageNeed>;

/** Writes each use as code, which the tracer follows. */
function listCalls(
  uses: readonly ExternalUse[],
  { projectRoot, report }: { projectRoot: string; report: Report },
): string[] {
  const calls = new Set<string>();
  for (const { kind, specifier } of uses) {
    if (isHostModule(specifier)) continue;
    // The tracer accepts modules that only `import` can load; a host does not.
    const error = kind === 'require' ? findRequireError(specifier, projectRoot) : undefined;
    if (error === undefined) calls.add(`${kind}(${JSON.stringify(specifier)});`);
    else report(specifier, error);
  }
  return [...calls].toSorted();
}

/** Follows the imports to every file, and records which package needs which. */
async function trace(
  calls: readonly string[],
  { projectRoot, report }: { projectRoot: string; report: Report },
): Promise<{ folders: Map<string, Set<string>>; needs: Needs }> {
  // The tracer starts at a file. This one represents the server build and exists only for the tracer.
  const start = path.join(projectRoot, 'appkit-external-packages.cjs');
  const needs: Needs = new Map();
  // Imported only here: loading it takes longer than all the rest of most exports.
  const { nodeFileTrace, resolve } = await import('@vercel/nft');
  const traced = await nodeFileTrace([start], {
    base: path.parse(projectRoot).root,
    processCwd: projectRoot,
    ts: false,
    readFile: async (file) => (file === start ? calls.join('\n') : readIfFile(file)),
    async resolve(specifier, parent, job, isRequire) {
      const found = await resolve(specifier, parent, job, isRequire).catch((error: unknown) => {
        if (parent === start) report(specifier, error);
        throw error;
      });
      for (const file of [found].flat()) {
        if (isBuiltin(file)) continue;
        const from = parent === start ? projectRoot : findPackageOf(await realpath(parent))?.root;
        const to = findPackageOf(await realpath(file))?.root;
        if (from === undefined || to === undefined || from === to || isInside(to, projectRoot)) continue;
        addNeed(needs, { from, name: toPackageName(specifier), to });
      }
      return found;
    },
  });
  const folders = await groupByPackage(traced.fileList, { start, projectRoot });
  await addOwnFiles(folders);
  for (const need of await addPlatformPackages(folders)) addNeed(needs, need);
  return { folders, needs };
}

function addNeed(needs: Needs, need: PackageNeed): void {
  needs.set(JSON.stringify(need), need);
}

/**
 * The needs in a stable order. A package that nothing needs by name counts as needed by the project, so that it has a
 * place next to the others.
 */
function listNeeds(
  folders: ReadonlyMap<string, unknown>,
  { needs, projectRoot }: { needs: Needs; projectRoot: string },
): PackageNeed[] {
  // Found by its own path and not by name, such as a shared library: it is looked for next to the others.
  const named = new Set([...needs.values()].map(({ to }) => to));
  const unnamed = [...folders.keys()].filter((folder) => !named.has(folder)).toSorted();
  return [
    ...[...needs.values()].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ...unnamed.map((to) => ({ from: projectRoot, name: findPackageOf(path.join(to, 'package.json'))?.name ?? '', to })),
  ];
}

function toTracedFiles(
  folders: ReadonlyMap<string, ReadonlySet<string>>,
  places: Iterable<[place: string, folder: string]>,
): TracedFile[] {
  const files = [...places].flatMap(([place, folder]) =>
    [...(folders.get(folder) ?? [])].map((name) => ({
      from: path.join(folder, name),
      to: path.posix.join('node_modules', place, name.replaceAll(path.sep, '/')),
    })),
  );
  return files.toSorted((a, b) => (a.to < b.to ? -1 : 1));
}

function findRequireError(specifier: string, projectRoot: string): unknown {
  try {
    createRequire(path.join(projectRoot, 'index.js')).resolve(specifier);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The traced files of each package, relative to its folder. The project's own files are not copied. */
async function groupByPackage(
  files: ReadonlySet<string>,
  { start, projectRoot }: { start: string; projectRoot: string },
): Promise<Map<string, Set<string>>> {
  const folders = new Map<string, Set<string>>();
  for (const name of files) {
    const file = path.join(path.parse(projectRoot).root, name);
    // Links are listed next to what they point to, and those below another by a path that is not there; places are made of real
    // files.
    if (file === start || !(await lstat(file).catch(() => undefined))?.isFile()) continue;
    const root = findPackageOf(file)?.root;
    if (root === undefined || isInside(root, projectRoot)) continue;
    const group = folders.get(root) ?? new Set(existsSync(path.join(root, 'package.json')) ? ['package.json'] : []);
    folders.set(root, group.add(path.relative(root, file)));
  }
  return folders;
}

/** Code that knows where it is. */
const KNOWS_ITS_PLACE = /\b__(?:dir|file)name\b|\bimport\.meta\.(?:url|dirname|filename)\b/;
const CODE = /\.[cm]?js$/;
/** What no code of a package reads. */
const FOR_PEOPLE = /\.(?:d\.[cm]?ts|[cm]?tsx?|map|md|markdown)$/i;

/**
 * Adds all files of the packages whose code knows where it is, and so may read any of them: a tracer sees only paths that are written in
 * certain ways.
 */
async function addOwnFiles(folders: Map<string, Set<string>>): Promise<void> {
  for (const [root, names] of folders) {
    const code = [...names].filter((name) => CODE.test(name));
    const texts = await Promise.all(code.map((name) => readFile(path.join(root, name), 'utf8')));
    if (!texts.some((text) => KNOWS_ITS_PLACE.test(text))) continue;
    const all = await listFiles(root, { except: (name) => isNodeModules(name) || FOR_PEOPLE.test(name) });
    folders.set(root, new Set([...names, ...all]));
  }
}

/** Adds the complete packages with binaries that the traced ones load by names no tracer can see. */
async function addPlatformPackages(folders: Map<string, Set<string>>): Promise<PackageNeed[]> {
  const needs: PackageNeed[] = [];
  // Entries added while the loop runs are visited as well: a binary may need another.
  for (const from of folders.keys()) {
    for (const { name, root: to } of findPlatformPackages(from)) {
      folders.set(to, new Set(await listFiles(to, { except: isNodeModules })));
      needs.push({ from, name, to });
    }
  }
  return needs;
}

async function readIfFile(file: string): Promise<Buffer | null> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return null;
    throw error;
  });
}

function toProblem(specifier: string, { configFile, error }: { configFile: string; error: unknown }): Problem {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return {
    file: configFile,
    message: `The external module ${specifier} cannot be loaded by a server build: ${reason}`,
    fix: `Install ${toPackageName(specifier)}, or a version of it that can be loaded with require.`,
  };
}
