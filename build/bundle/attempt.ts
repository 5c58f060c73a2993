import path from 'node:path';

import type { ModuleInfo, RolldownLog } from 'rolldown';

import type { LogContext } from './bundler-log.ts';
import type { ReadModules } from '../cache/inputs.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import type { ShareableModule } from './facades.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { findLostPackageFiles } from '../packages/lost-package-files.ts';
import type { LostPackageFiles } from '../packages/lost-package-files.ts';
import { createStrictMode } from './plugins/strict-mode.ts';
import type { StrictMode } from './plugins/strict-mode.ts';
import type { Relays } from './plugins/relayed-exports.ts';
import type { ServerFile } from '../app/scan.ts';
import type { ServerChunk } from './server-chunks.ts';
import type { SharedRoutes } from './plugins/shared-routes.ts';
import type { Asset } from './plugins/assets.ts';
import type { PageOptions } from './plugins/page-parts.ts';
import type { SetAside } from './plugins/set-aside.ts';

/** What bundling depends on besides the files. */
export interface BundleOptions {
  projectRoot: string;
  /** The path that the app is below. Default: none. */
  base?: string | undefined;
  /** Packages that are not bundled. */
  external: readonly string[];
  /** Whether workerd runs the bundle as it is, without the packages that are external. Default: `false`. */
  inWorkerd?: boolean | undefined;
  /** Names that stand for code: the constants of the app's `vite.config`. Default: none. */
  constants?: Readonly<Record<string, string>> | undefined;
  minify: boolean;
  /** Keep Request, Response and fetch as the native globals. */
  strictFetch: boolean;
  /** Whether to find the modules that pages could import from the server build. Default: `false`. */
  offered?: boolean | undefined;
  /** Modules that pages import from the server build. Default: none. */
  shared?: readonly ShareableModule[];
  /** In development, where the loaders of pages are bundled with the routes. */
  pages?: PageOptions | undefined;
}

/** Source files with everything they import, split into chunks that several files may share. */
export interface Bundle {
  /** The files that the bundler could read completely, by their paths. */
  files: Map<string, BundledSource>;
  /** Output files by name, relative to the server build. An entry's name is not where it is written. */
  chunks: Map<string, ServerChunk>;
  external: ExternalUse[];
  /** Files whose URLs the code contains. */
  assets: Asset[];
  /** The app's modules in the bundle, by their absolute paths. */
  modules: string[];
  /** The modules in the bundle that pages could import from it, if they are `offered`. */
  shareable: ShareableModule[];
  /** The inputs that were read to make the bundle. */
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

/** What an attempt has found that the next one must take into account. */
export interface Found {
  sharedRoutes: SharedRoutes;
  relays: Relays;
}

/** What all attempts at one bundle share. */
export interface AttemptOptions {
  entries: readonly ServerFile[];
  options: BundleOptions;
  setAside: SetAside;
  found: Found;
}

/** One run of the bundler, and its findings so far. */
export interface Attempt extends AttemptOptions {
  context: LogContext;
  /** The absolute paths of the entries. */
  sources: string[];
  /** The future bundle. Plugins fill parts of it while the bundler runs. */
  result: Bundle;
  /** Every module that the bundler has processed, by its id. */
  modules: Map<string, ModuleInfo>;
  strictMode: StrictMode;
  /** Warnings about unresolved imports. The chunks decide which of them are errors. */
  unresolved: RolldownLog[];
  lostPackageFiles: LostPackageFiles;
  report(problem: Problem): void;
  /** Warns of a package that is not installed but may be found at run time. */
  warnMissing(importer: string, specifier: string): void;
  /** Records the modules that the bundler has processed. */
  addModules(ids: Iterable<string>, infoOf: (id: string) => ModuleInfo | null): void;
}

/** Begins an attempt with empty findings. */
export function startAttempt(shared: AttemptOptions): Attempt {
  const { entries, options } = shared;
  const { projectRoot } = options;
  const looked = { modules: [] as string[], missing: [] as { importer: string; specifier: string }[] };
  const modules = new Map<string, ModuleInfo>();
  const result = createBundle(looked);
  return {
    ...shared,
    context: { projectRoot, entry: entries[0]?.file ?? '' },
    sources: entries.map(({ file }) => path.join(projectRoot, file)),
    result,
    modules,
    strictMode: createStrictMode(modules),
    unresolved: [],
    lostPackageFiles: findLostPackageFiles(),
    report: (problem) => void result.problems.push(problem),
    warnMissing(importer, specifier) {
      looked.missing.push({ importer, specifier });
      const file = toProjectPath(projectRoot, importer);
      result.warnings.push(`${file}: ${specifier} is not installed. It is looked up at run time.`);
    },
    addModules(ids, infoOf) {
      for (const id of ids) {
        looked.modules.push(id);
        const info = infoOf(id);
        if (info) modules.set(id, info);
      }
    },
  };
}

/**
 * Lets go of what an attempt has found, once it has been copied. The bundler (rolldown 1.2) keeps each plugin with a hook for chunks until the
 * process ends, and with it all that the plugin refers to: a development server would need more memory for each change.
 */
export function forget({ result, modules }: Attempt): void {
  modules.clear();
  Object.assign(result, createBundle({ modules: [] }));
}

function createBundle(read: ReadModules): Bundle {
  return {
    files: new Map(),
    chunks: new Map(),
    external: [],
    assets: [],
    modules: [],
    shareable: [],
    read,
    problems: [],
    warnings: [],
  };
}
