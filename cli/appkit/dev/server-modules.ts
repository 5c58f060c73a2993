import path from 'node:path';
import type { DevEnvironment, EnvironmentModuleGraph } from 'vite';
import type { FetchFunctionOptions, FetchResult, ModuleRunner } from 'vite/module-runner';
import type { LoadedVite } from './load-vite.ts';
import { createModuleEvaluator } from './module-evaluator.ts';

/** What a module exports, by name. */
export type ModuleExports = Record<string, unknown>;

/** The modules of the server: loaded on first use and kept until they or something they import changes. */
export interface ServerModules {
  /**
   * Imports a file with all that it imports. Each file has its own copies, as its bundle has in an export: a variable of
   * a shared module is not shared between two routes.
   *
   * @param file – relative to the project, or a name that begins with `virtual:`.
   */
  load(file: string): Promise<ModuleExports>;
  /**
   * Forgets what depends on a file that has changed, been added or been removed. What does not keeps its state.
   *
   * @param file – absolute.
   * @returns the files given to `load` that depend on it.
   */
  invalidate(file: string): string[];
  /** Whether a file is, or failed to become, part of a module. */
  has(file: string): boolean;
}

type Fetch = [url: string, importer?: string, options?: FetchFunctionOptions];

/** Makes the modules of a Vite environment. */
export function createServerModules(loaded: LoadedVite, environment: DevEnvironment): ServerModules {
  const { vite, runner: api } = loaded;
  const { root } = environment.config;
  const runners = new Map<string, ModuleRunner>();
  let changes = 0;

  const fetchModule = async (...[url, importer, options]: Fetch): Promise<FetchResult> => {
    // What is stale is decided here alone: an environment tells of each change once, and there are many runners.
    if (options?.cached) return { cache: true };
    for (;;) {
      const before = changes;
      try {
        const fetched = await environment.fetchModule(url, importer, { ...options, cached: false });
        // What was read while a file changed may be of before the change.
        if (before === changes) return 'invalidate' in fetched ? { ...fetched, invalidate: false } : fetched;
      } catch (error) {
        if (before === changes) throw error;
      }
    }
  };

  const createRunner = (): ModuleRunner =>
    new api.ModuleRunner(
      {
        hmr: false,
        sourcemapInterceptor: false, // Node's own is on
        createImportMeta: api.createNodeImportMeta,
        transport: {
          async invoke(payload) {
            const { name, data } = (payload as { data: { name: string; data: unknown } }).data; // Vite's own question
            // The other one is for the names of built-in modules, which fetchModule knows too.
            return { result: name === 'fetchModule' ? await fetchModule(...(data as Fetch)) : [] };
          },
        },
      },
      createModuleEvaluator(loaded, environment),
    );

  return {
    async load(file) {
      const runner = runners.get(file) ?? createRunner();
      runners.set(file, runner);
      try {
        const id = file.startsWith('virtual:') ? file : vite.normalizePath(path.join(root, file));
        return (await runner.import(id)) as ModuleExports;
      } catch (error) {
        forgetFailed(runner, environment.moduleGraph);
        throw error;
      }
    },
    invalidate(file) {
      changes++;
      const id = vite.normalizePath(file);
      environment.moduleGraph.onFileChange(id);
      return [...runners].filter(([, runner]) => forget(runner, id)).map(([name]) => name);
    },
    has: (file) => (environment.moduleGraph.getModulesByFile(vite.normalizePath(file))?.size ?? 0) > 0,
  };
}

/** Forgets the modules of a file and all that import them, so that they are evaluated again when they are next needed. */
function forget({ evaluatedModules }: ModuleRunner, file: string): boolean {
  const stale = new Set(evaluatedModules.getModulesByFile(file));
  // A set that grows while it is gone through gives what was added too.
  for (const node of stale) {
    for (const id of node.importers) {
      const importer = evaluatedModules.getModuleById(id);
      if (importer) stale.add(importer);
    }
  }
  for (const node of stale) {
    for (const id of node.imports) evaluatedModules.getModuleById(id)?.importers.delete(node.id);
    evaluatedModules.invalidateModule(node);
  }
  return stale.size > 0;
}

/**
 * A module that failed is evaluated again by the next request, as in production, where the runner would keep the failure.
 * It is transformed again too: what its imports led to is part of its code, and a missing file may be there by then.
 */
function forgetFailed({ evaluatedModules }: ModuleRunner, graph: EnvironmentModuleGraph): void {
  for (const node of evaluatedModules.idToModuleMap.values()) {
    const { promise } = node;
    promise?.catch(() => {
      if (node.promise !== promise) return;
      evaluatedModules.invalidateModule(node);
      const transformed = graph.getModuleById(node.id);
      if (transformed) graph.invalidateModule(transformed);
    });
  }
}
