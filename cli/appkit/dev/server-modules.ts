import path from 'node:path';
import type { DevEnvironment } from 'vite';
import type { EvaluatedModuleNode, FetchFunctionOptions, FetchResult, ModuleRunnerOptions } from 'vite/module-runner';
import { createQueue } from './in-turn.ts';
import type { LoadedVite } from './load-vite.ts';
import { createModuleEvaluator, REQUIRED, toUrl } from './module-evaluator.ts';

/** What a module exports, by name. */
export type ModuleExports = Record<string, unknown>;

/** The server modules: each is loaded once, on first use, and kept until it or one of its imports changes. */
export interface ServerModules {
  /**
   * Imports a file and everything it imports.
   *
   * @param file – relative to the project, or a name that begins with `virtual:`.
   */
  load(file: string): Promise<ModuleExports>;
  /**
   * Drops the modules that depend on a file that was changed, added or removed. All others keep their state.
   *
   * @param file – absolute.
   * @param event – what has happened to it, as the watcher says it.
   * @returns the files given to `load` that depend on it.
   */
  invalidate(file: string, event: string): string[];
  /**
   * Whether a file is, or failed to become, part of a module. If it was not just changed: or whether an
   * `import.meta.glob` finds it.
   */
  has(file: string, event: string): boolean;
  /** Closes the module runner. */
  close(): Promise<void>;
}

/** The hook of Vite's plugin for `import.meta.glob`, as far as it is used here. It does not wait for anything. */
type GlobHook = (
  this: { environment: DevEnvironment },
  options: { type: string; file: string; modules: never[] },
) => { id: string | null }[] | undefined;

type Fetch = [url: string, importer?: string, options?: FetchFunctionOptions];

/**
 * Creates the modules of a Vite environment.
 *
 * @param options – `sourcemapInterceptor`: how stacks are mapped to the sources. Default: not at all, because `appkit
 * start` has enabled Node's source maps.
 */
export function createServerModules(
  loaded: LoadedVite,
  environment: DevEnvironment,
  { sourcemapInterceptor = false }: Pick<ModuleRunnerOptions, 'sourcemapInterceptor'> = {},
): ServerModules {
  const { vite, runner: api } = loaded;
  const { root } = environment.config;
  const evaluated = new api.EvaluatedModules();
  // Stacks name the file of a required module, its id has the mark too.
  const findSourceMap = evaluated.getModuleSourceMapById.bind(evaluated);
  evaluated.getModuleSourceMapById = (id) => findSourceMap(id) ?? findSourceMap(id + REQUIRED);
  /** The files given to `load`, by the ids of their modules. */
  const loadedFiles = new Map<string, string>();
  /** Modules whose code must be fetched again. */
  const stale = new Set<EvaluatedModuleNode>();
  let changes = 0;

  /**
   * Fetches a module. Vite keeps that it has not found a package, and leaves the name to Node from then on. Node would load a
   * package that has been linked since, but not again after a change.
   */
  const fetchLinked = async (...[url, importer, options]: Fetch): Promise<FetchResult> => {
    const fetched = await environment.fetchModule(url, importer, options);
    if (importer === undefined || !('externalize' in fetched) || !isLinked(url, fetched.externalize)) return fetched;
    await environment.pluginContainer.watchChange(importer, { event: 'create' }); // makes it look again
    const found = await environment.pluginContainer.resolveId(url, importer);
    return found && !found.external ? await environment.fetchModule(toUrl(found.id), importer, options) : fetched;
  };
  /** Whether Node finds a package outside of `node_modules`, where Vite reads the sources. */
  const isLinked = (url: string, found: string): boolean => {
    const { external } = environment.config.resolve;
    const isMeant = external === true || external.some((name) => url === name || url.startsWith(`${name}/`));
    return found.startsWith('file:') && !isMeant && !url.startsWith('file:') && !found.includes('/node_modules/');
  };

  const fetchModule = async (...[url, importer, options]: Fetch): Promise<FetchResult> => {
    const known = evaluated.getModuleByUrl(url);
    if (options?.cached && !(known && stale.has(known))) return { cache: true };
    for (;;) {
      const before = changes;
      try {
        const fetched = await fetchLinked(url, importer, { ...options, cached: false });
        if (before !== changes) continue; // it may be from before the change
        if (known) stale.delete(known);
        // Only this module decides which modules are dropped.
        return 'invalidate' in fetched ? { ...fetched, invalidate: false } : fetched;
      } catch (error) {
        if (before === changes) throw error;
      }
    }
  };

  /** The modules and everything they lead to. Iterating a set also visits items that are added meanwhile. */
  const follow = (
    nodes: Iterable<EvaluatedModuleNode>,
    next: (node: EvaluatedModuleNode) => Iterable<string>,
  ): Set<EvaluatedModuleNode> => {
    const found = new Set(nodes);
    for (const node of found) {
      for (const id of next(node)) {
        const other = evaluated.getModuleById(id);
        if (other) found.add(other);
      }
    }
    return found;
  };

  /** Makes modules be evaluated again when they are next needed. */
  const forget = (forgotten: ReadonlySet<EvaluatedModuleNode>): void => {
    for (const node of forgotten) {
      for (const id of node.imports) evaluated.getModuleById(id)?.importers.delete(node.id);
      node.imports.clear();
      node.promise = undefined;
      node.exports = undefined;
      stale.add(node);
    }
  };

  /**
   * The next request evaluates a failed module again, as in production. Without this, the runner would keep the
   * failure. The same goes for the modules of its import cycle, which share its failure. Other importers fail on their
   * own, unless they catch the failure: then they are kept. The module is also transformed again: its code contains the
   * resolved imports, and a missing file may exist by then.
   */
  const forgetFailed = (id: string): void => {
    const node = evaluated.getModuleById(id);
    if (!node) return;
    const importers = follow([node], ({ importers }) => importers);
    const imported = follow([node], ({ imports }) => imports);
    const circle = new Set([...imported].filter((other) => importers.has(other)));
    forget(circle);
    for (const { id } of circle) {
      const transformed = environment.moduleGraph.getModuleById(id);
      if (transformed) environment.moduleGraph.invalidateModule(transformed);
    }
  };

  /**
   * Evaluates modules one after the other, as the `require` of production does. Otherwise a module outside an import
   * cycle could get one of the cycle that is evaluated while the others are not.
   */
  const inTurn = createQueue({
    find: (url) => (evaluated.getModuleById(url) ?? evaluated.getModuleByUrl(url))?.promise,
  });

  const globbing = environment.plugins.find(({ name }) => name === 'vite:import-glob')?.hotUpdate;
  /** The ids of the modules whose `import.meta.glob` finds a file that has come or gone. Only Vite's plugin knows them. */
  const findGlobbing = (file: string, event: string): string[] => {
    if (event === 'change') return [];
    const asked = { type: 'create', file, modules: [] };
    const ask = (typeof globbing === 'object' ? globbing.handler : globbing) as GlobHook | undefined;
    return ask?.call({ environment }, asked)?.flatMap(({ id }) => id ?? []) ?? [];
  };

  const evaluator = createModuleEvaluator(loaded, environment);
  const runner = new api.ModuleRunner(
    {
      hmr: false,
      evaluatedModules: evaluated,
      sourcemapInterceptor,
      createImportMeta: api.createNodeImportMeta,
      transport: {
        async invoke(payload) {
          const { name, data } = (payload as { data: { name: string; data: unknown } }).data; // Vite's own question
          // The other method asks for the names of built-in modules, which fetchModule recognizes too.
          return { result: name === 'fetchModule' ? await fetchModule(...(data as Fetch)) : [] };
        },
      },
    },
    {
      ...evaluator,
      runInlinedModule(context, code, module) {
        const { [api.ssrDynamicImportKey]: load } = context;
        const given = {
          ...context,
          [api.ssrDynamicImportKey]: (name: string) => inTurn(String(name), () => load(name)),
        };
        return evaluator.runInlinedModule(given, code, module).catch((error: unknown) => {
          forgetFailed(module.id);
          throw error;
        });
      },
      runExternalModule: (file) =>
        evaluator.runExternalModule(file).catch((error: unknown) => {
          forgetFailed(api.normalizeModuleId(file));
          throw error;
        }),
    },
  );

  return {
    async load(file) {
      const isVirtual = file.startsWith('virtual:');
      const id = isVirtual ? `\0${file}` : vite.normalizePath(path.join(root, file));
      loadedFiles.set(id, file);
      return inTurn<ModuleExports>(id, () => runner.import(isVirtual ? file : toUrl(id)));
    },
    invalidate(file, event) {
      changes++;
      const id = vite.normalizePath(file);
      environment.moduleGraph.onFileChange(id);
      const changed = new Set(evaluated.getModulesByFile(id));
      for (const globbed of findGlobbing(id, event)) {
        const transformed = environment.moduleGraph.getModuleById(globbed);
        if (transformed) environment.moduleGraph.invalidateModule(transformed);
        const node = evaluated.getModuleById(globbed);
        if (node) changed.add(node);
      }
      const forgotten = follow(changed, ({ importers }) => importers);
      forget(forgotten);
      return [...forgotten].flatMap((node) => loadedFiles.get(node.id) ?? []);
    },
    has(file, event) {
      const id = vite.normalizePath(file);
      return (environment.moduleGraph.getModulesByFile(id)?.size ?? 0) > 0 || findGlobbing(id, event).length > 0;
    },
    close: () => runner.close(),
  };
}
