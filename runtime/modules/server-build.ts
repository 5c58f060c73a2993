import { codedError } from '../http/coded-error.ts';
import type { RequestContext } from '../request/context.ts';
import { requestStore } from '../request/context.ts';
import { isPromise } from '../request/is-promise.ts';
import { findFetchApp } from './find-fetch-app.ts';
import { MANIFEST_VERSION } from '../manifest.ts';
import type { ServerBuild } from '../manifest.ts';

/** Loads a module of the server build by the file name in the manifest. */
export type ModuleLoader = (file: string) => unknown;

/**
 * A server build as it is served. If it was read from its folder, it has a single function instead of a loader per file: making 10,000 loaders
 * takes 20 ms.
 */
export interface LoadableBuild extends Omit<ServerBuild, 'modules'> {
  modules: ServerBuild['modules'] | ModuleLoader;
}

/**
 * Checks that a value is a server build this runtime can serve.
 *
 * @throws CodedError ERR_BUILD_INVALID when it is something else, ERR_BUILD_TOO_NEW when its manifest has a newer version.
 */
export function toServerBuild(value: unknown): LoadableBuild {
  const build = unwrapDefault(value);
  if (isRecord(build) && build['manifest'] === undefined && findFetchApp(build)) {
    return toFetchBuild('the options', () => build, build['usesCache'] === true);
  }
  if (!isRecord(build) || !isRecord(build['manifest']) || !isRecord(build['modules'])) {
    throw codedError(
      'ERR_BUILD_INVALID',
      'build is not a server build. Give createRequestHandler the folder dist/server, what its index.js exports, or code with ' +
        'a function fetch.',
    );
  }
  const { version, routes } = build['manifest'];
  if (typeof version !== 'number' || !Array.isArray(routes)) {
    throw codedError(
      'ERR_BUILD_INVALID',
      'The manifest of the server build has no version or no routes. Run `appkit export -p web` again.',
    );
  }
  if (version > MANIFEST_VERSION) {
    throw codedError(
      'ERR_BUILD_TOO_NEW',
      `The server build has manifest version ${version}, and this appkit-server understands up to ${MANIFEST_VERSION}. ` +
        'Install the release of appkit-server that the app was exported with, or export it again with this one.',
    );
  }
  // The manifest is generated; the version determines its shape.
  return build as unknown as LoadableBuild;
}

/**
 * Makes the build of code with a `fetch`.
 *
 * @param file – where it is, for errors.
 * @param load – returns the module that exports it, or a promise of that.
 * @param usesCache – as in the manifest.
 */
export function toFetchBuild(file: string, load: () => unknown, usesCache = false): LoadableBuild {
  return { manifest: { version: MANIFEST_VERSION, routes: [], fetch: { file }, usesCache }, modules: load };
}

// The store's types do not allow this: getStore() then returns undefined, as outside a request.
const none = undefined as unknown as RequestContext;

/** Wraps the build's loader. A module is loaded on first use and kept; a failed load is tried again next time. */
export function createModuleLoader({ modules }: LoadableBuild): ModuleLoader {
  const loaded = new Map<string, unknown>();
  return (file) => {
    if (loaded.has(file)) return loaded.get(file);
    const load = findLoader(modules, file);
    // Without the context of the request that happens to be first: a module belongs to no request, and a timer that it
    // starts would keep that request alive forever.
    const module = requestStore().run(none, load);
    if (!isPromise(module)) {
      const unwrapped = unwrapDefault(module);
      loaded.set(file, unwrapped);
      return unwrapped;
    }
    // It may be of another realm, such as that of a test runner.
    const pending = Promise.resolve(module).then(unwrapDefault);
    loaded.set(file, pending);
    pending.then(
      (unwrapped) => loaded.set(file, unwrapped),
      () => loaded.delete(file),
    );
    return pending;
  };
}

function findLoader(modules: LoadableBuild['modules'], file: string): () => unknown {
  if (typeof modules === 'function') return () => modules(file);
  const load = Object.hasOwn(modules, file) ? modules[file] : undefined;
  if (load) return load;
  throw codedError(
    'ERR_BUILD_INVALID',
    `The server build has no module ${file}, though its manifest names it. Export the app again.`,
  );
}

/** Uses a module returned by a loader: at once if it is already loaded. */
export function whenLoaded<Use>(module: unknown, use: (module: unknown, how: Use) => unknown, how: Use): unknown {
  return module instanceof Promise ? module.then((loaded) => use(loaded, how)) : use(module, how);
}

// import() of a CommonJS file has its exports under `default`; Node, Deno and Bun differ in what else they add.
function unwrapDefault(module: unknown): unknown {
  if (!isRecord(module)) return module;
  const inner = module['default'];
  const isWrapped = isRecord(inner) && (inner['__esModule'] === true || isRecord(inner['manifest']));
  return isWrapped ? inner : module;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}
