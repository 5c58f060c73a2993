import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevEnvironment } from 'vite';
import type { ModuleEvaluator, ModuleRunnerContext } from 'vite/module-runner';
import { withoutMark } from '../env-file.ts';
import { isForBundlers } from './for-bundlers.ts';
import type { LoadedVite } from './load-vite.ts';
import { readCommonJsUse } from './read-requires.ts';

/** Marks a module requested by `require`, which runs the module when it is called and not before. */
export const REQUIRED = '?appkit-required';

/** What only pages contain. */
const PAGE_CODE = /\.[jt]sx$/;

const LOAD = Symbol('load');

/** The CommonJS modules that Node has loaded, by file. */
const loadedByRequire = createRequire(import.meta.url).cache;

/** The exports of a module that is requested with {@link REQUIRED}. */
interface Required {
  [LOAD]?: () => unknown;
}

/** The names that CommonJS defines in every module, and an export in ES modules too. */
const COMMONJS_NAMES = ['require', 'module', 'exports', '__filename', '__dirname'];

/**
 * Creates an evaluator that runs modules as an export does: ES modules and CommonJS, which may load each other, with
 * names such as `__dirname` in both. A required ES module runs before the module that requires it.
 */
export function createModuleEvaluator({ vite, runner: api }: LoadedVite, environment: DevEnvironment): ModuleEvaluator {
  const keys = [
    api.ssrModuleExportsKey,
    api.ssrImportMetaKey,
    api.ssrImportKey,
    api.ssrDynamicImportKey,
    api.ssrExportAllKey,
    api.ssrExportNameKey,
  ] as const;
  const { root } = environment.config;
  const isModulePackage = readType(root) === 'module';
  const importAgain = createImport();
  const compile = createCompiler();

  /** The id of a module of the app, or of a package linked into it. Anything else is left to Node. */
  const findRequired = async (name: string, file: string): Promise<string | undefined> => {
    const found = await environment.pluginContainer.resolveId(name, file);
    if (found?.external) return undefined;
    // A package may have other files for `require` than for `import`.
    const byNode = /^\.{0,2}\//.test(name) ? undefined : resolveByNode(name, file);
    const id = byNode === undefined ? found?.id : vite.normalizePath(byNode);
    return id && path.isAbsolute(id) && !id.includes('/node_modules/') ? id : undefined;
  };

  /** Loads a required module without running it. */
  const prepare = async (name: string, { file, context }: Requiring): Promise<() => unknown> => {
    const id = await findRequired(name, file);
    if (id === undefined) return () => createRequire(file)(name);
    try {
      if (!/\.[cm]?[jt]sx?$/.test(id)) return constant(toValue(await context[api.ssrImportKey](toUrl(id))));
      const required = (await context[api.ssrImportKey](toUrl(id + REQUIRED))) as Required;
      return () => required[LOAD]?.();
    } catch (error) {
      return () => {
        throw error;
      };
    }
  };

  /** Creates the CommonJS variables of a module. */
  const createScope = async (required: readonly string[], requiring: Requiring): Promise<Scope> => {
    const prepared = await Promise.all(required.map(async (name) => [name, await prepare(name, requiring)] as const));
    const load = new Map(prepared);
    const nodeRequire = createRequire(requiring.file);
    const require = Object.assign((name: string) => (load.get(name) ?? nodeRequire)(name), nodeRequire);
    return { require, module: { exports: {} } };
  };

  /** For pages, a package's default is the one of its ES modules, if it has some for bundlers. */
  const withOwnDefaults = (context: ModuleRunnerContext, file: string): Partial<ModuleRunnerContext> => ({
    async [api.ssrImportKey](name: string, ...rest: unknown[]) {
      const imported = (await Reflect.apply(context[api.ssrImportKey], context, [name, ...rest])) as Record<
        string,
        unknown
      >;
      return isForBundlers(name, file) ? withOwnDefault(imported) : imported;
    },
  });

  return {
    // The line that opens the function.
    startOffset: 1,
    async runInlinedModule(context, code, { id, file: named }) {
      // A plugin's virtual module is not a file.
      const file = path.isAbsolute(named) ? named : path.join(root, 'package.json');
      const exports = context[api.ssrModuleExportsKey];
      const { isCommonJs, isStrict, required } = readCommonJsUse(vite, code);
      const original = id.endsWith(REQUIRED) ? id.slice(0, -REQUIRED.length) : undefined;
      if (original !== undefined && !isCommonJs) {
        Object.assign(exports, { [LOAD]: constant(await context[api.ssrImportKey](toUrl(original))) });
      } else if (original === undefined && isCommonJs) {
        const self = (await context[api.ssrImportKey](toUrl(id + REQUIRED))) as Required;
        publish(self[LOAD]?.(), { isModulePackage, exportName: context[api.ssrExportNameKey] });
      } else {
        const scope = await createScope(required, { file, context });
        const values = [scope.require, scope.module, scope.module.exports, file, path.dirname(file)];
        if (isCommonJs) {
          // A block: a module may declare its own `__dirname`. Within it, a directive has no effect.
          const opened = isStrict ? '"use strict"; {' : '{';
          const parameters = [...COMMONJS_NAMES, api.ssrDynamicImportKey].join(', ');
          const body = compile(`function (${parameters}) { ${opened}\n${code}\n} }`, file);
          const run = (): void => {
            body.call(scope.module.exports, ...values, context[api.ssrDynamicImportKey]);
          };
          Object.assign(exports, { [LOAD]: toLoader(scope.module, run) });
        } else {
          // A nested function: a module may declare its own `__dirname`.
          const wrapper = `return async function (${keys.join(', ')}) { "use strict";\n${code}\n};`;
          const body = compile(`function (${COMMONJS_NAMES.join(', ')}) { ${wrapper} }`, file)(...values) as Body;
          const given =
            isModulePackage && PAGE_CODE.test(file) ? { ...context, ...withOwnDefaults(context, file) } : context;
          await body(...keys.map((key) => given[key]));
        }
      }
      Object.seal(exports);
    },
    async runExternalModule(file) {
      const imported = withEveryName(await importAgain(file), file);
      return isModulePackage ? imported : withOwnDefault(imported);
    },
  };
}

/** A module's id as Vite imports it. It takes what begins with a drive of Windows for a package. */
export function toUrl(id: string): string {
  return /^[a-z]:/i.test(id) ? `/@fs/${id}` : id;
}

/** The code of an ES module. */
type Body = (...given: unknown[]) => Promise<void>;

/**
 * Creates a function that compiles code as Node compiles a file. Packages such as pino find what they are told to load from
 * the file of their caller, and code compiled by `new Function` has none.
 */
function createCompiler(): (expression: string, file: string) => (...given: unknown[]) => unknown {
  /** Node keeps the source map of a module as long as the module. */
  const compiled = new Map<string, Module>();
  return (expression, file) => {
    const module = new Module(file) as Module & { _compile(code: string, file: string, format: string): void };
    module._compile(`module.exports = ${expression};`, file, 'commonjs');
    compiled.set(file, module);
    return module.exports as ReturnType<ReturnType<typeof createCompiler>>;
  };
}

/**
 * Creates an `import()` of files that evaluates one again after it has failed. Node keeps the failure of a URL, so the file
 * gets another one. No second module lives: the first has failed for ever.
 */
function createImport(): (url: string) => Promise<Record<string, unknown>> {
  const failures = new Map<string, number>();
  return async (url) => {
    const failed = failures.get(url);
    try {
      return (await import(failed === undefined ? url : `${url}?failed=${failed}`)) as Record<string, unknown>;
    } catch (error) {
      if (url.startsWith('file:')) failures.set(url, (failed ?? 0) + 1);
      throw error;
    }
  };
}

/**
 * What Node imports of a package, with each property of a CommonJS module as a name, as in a bundle. Node offers only
 * the names that it finds by reading the code, which are none of lodash.
 */
function withEveryName(imported: Record<string, unknown>, url: string): Record<string, unknown> {
  const exported = url.startsWith('file:') ? loadedByRequire[fileURLToPath(url)]?.exports : undefined;
  if (!isObject(exported) || exported !== imported['default']) return imported;
  const { 'module.exports': _, ...found } = imported;
  for (const [name, { enumerable = false }] of Object.entries(Object.getOwnPropertyDescriptors(exported))) {
    if (name !== 'default') Object.defineProperty(found, name, { enumerable, get: () => exported[name] });
  }
  return found;
}

/**
 * What Node imports of a package, with the default of a CommonJS module that was compiled from ESM in place of the whole
 * `module.exports`. The bundler uses it too, unless the importer follows Node's rules.
 */
function withOwnDefault(imported: Record<string, unknown>): Record<string, unknown> {
  const exported: unknown = imported['default'];
  return imported['__esModule'] === true && hasOwnDefault(exported)
    ? Object.create(null, {
        ...Object.getOwnPropertyDescriptors(imported),
        default: { enumerable: true, value: exported.default },
      })
    : imported;
}

function hasOwnDefault(exported: unknown): exported is { default: unknown } {
  return isObject(exported) && exported['__esModule'] === true && 'default' in exported;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The values of the CommonJS names in one module. */
interface Scope {
  require: NodeJS.Require;
  module: { exports: unknown };
}

/**
 * Returns the exports of a CommonJS module; within an import cycle, the exports so far. The module runs again after an
 * error.
 */
function toLoader(module: Scope['module'], run: () => void): () => unknown {
  let isStarted = false;
  return () => {
    if (isStarted) return module.exports;
    isStarted = true;
    try {
      run();
    } catch (error) {
      isStarted = false;
      throw error;
    }
    return module.exports;
  };
}

type ExportName = ModuleRunnerContext['__vite_ssr_exportName__'];

interface Requiring {
  /** The file that requires it. */
  file: string;
  context: ModuleRunnerContext;
}

/**
 * Publishes the exports of a CommonJS module to ES modules: each name, and `module.exports` as the default. A module
 * compiled from ESM has its own default, which the bundler uses unless the importer follows Node's rules.
 */
function publish(
  exported: unknown,
  { isModulePackage, exportName }: { isModulePackage: boolean; exportName: ExportName },
): void {
  const values = isObject(exported) ? exported : {};
  for (const name of Object.keys(values)) if (name !== 'default') exportName(name, () => values[name]);
  const hasDefault = !isModulePackage && hasOwnDefault(exported);
  exportName('default', () => (hasDefault ? exported.default : exported));
}

function readType(projectRoot: string): unknown {
  try {
    const manifest: unknown = JSON.parse(withoutMark(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')));
    return Object(manifest).type;
  } catch {
    return undefined; // without a readable package.json, Node assumes CommonJS too
  }
}

function constant<T>(value: T): () => T {
  return () => value;
}

/** The value that `require` returns for JSON or text, which Vite turns into an ES module. */
function toValue(module: Record<string, unknown>): unknown {
  return 'default' in module ? module['default'] : module;
}

/** A package, a name of the `imports` of package.json, or a module of Node. */
function resolveByNode(name: string, file: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}
