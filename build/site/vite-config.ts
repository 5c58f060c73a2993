import path from 'node:path';

import type { EnvironmentOptions, InlineConfig, Logger, Plugin, Rolldown } from 'vite';

import { toSlashes } from '../app/project-path.ts';
import { toClientFolder } from '../output/client-folder.ts';
import { lightFetch } from '../bundle/light-fetch.ts';
import { createOwnGroup } from '../bundle/own-modules.ts';
import { toAssetName } from '../bundle/plugins/assets.ts';
import type { StrictMode } from '../bundle/plugins/strict-mode.ts';
import type { SiteBundleOptions } from './site-bundles.ts';
import { toPublicDefine } from '../secrets/client-env.ts';
import { createBasePlugin } from './base-plugin.ts';
import { createModulesPlugin, MODULES } from './modules-plugin.ts';
import { CLIENT_ENTRY, SERVER_ENTRY, toPrerenderEntry } from './site-module.ts';
import { PRERENDER, RENDER } from '../pages/write-renderer.ts';

/** Where the files of the client bundle go, below `dist/client`. */
const ASSETS = '_appkit/assets';

/** In the form by which `serve` and hosts recognise immutable files. */
const CLIENT_NAMES = {
  hashCharacters: 'hex',
  entryFileNames: `${ASSETS}/[name]-[hash].js`,
  chunkFileNames: `${ASSETS}/[name]-[hash].js`,
  // The name that modules know a file by, so that a file used by a style sheet is not written twice.
  assetFileNames: ({ names: [name], originalFileNames: [file], source }: Rolldown.PreRenderedAsset) =>
    // A file generated from modules is named after one of them, and a style sheet's source here is not complete yet.
    file === undefined || name !== path.basename(file) || name.endsWith('.css')
      ? `${ASSETS}/[name]-[hash][extname]`
      : `${ASSETS}/${toAssetName(file, source)}`,
} as const;

const SERVER_OUTPUT = {
  format: 'cjs',
  exports: 'named',
  hashCharacters: 'hex',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // As in the bundle of the routes.
  strictExecutionOrder: true,
  sourcemapExcludeSources: true,
  keepNames: true,
  strict: false,
} as const;

/** The inputs of a site's configuration. */
export interface SiteConfigOptions extends Omit<SiteBundleOptions, 'cache' | 'routes' | 'signal'> {
  plugins: Plugin[];
  customLogger: Logger;
  /** Keeps modules in sloppy mode out of the chunks of others, for the server. Default: they share chunks. */
  strictMode?: StrictMode;
  /** The modules of the server's bundle, filled before it is written. Default: none. */
  serverModules?: ReadonlyMap<string, Rolldown.ModuleInfo>;
  /** Makes the plugins of a worker's bundle, once per bundle. */
  workerPlugins: () => Plugin[];
}

/** The configuration of both bundles: the one for browsers, and the one that renders pages on the server. */
export function toViteConfig(options: SiteConfigOptions): InlineConfig {
  const { projectRoot, lists } = options;
  const modules = {
    ...lists,
    client: CLIENT_ENTRY,
    server: SERVER_ENTRY,
    prerender: toPrerenderEntry(MODULES.prerendered),
  };
  return {
    root: projectRoot,
    mode: 'production',
    appType: 'custom',
    logLevel: 'warn',
    customLogger: options.customLogger,
    publicDir: false,
    // Variables come from the process: nothing reads .env.
    envDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { assetsDir: ASSETS },
    plugins: [createBasePlugin(options.base), createModulesPlugin(modules), ...options.plugins],
    worker: {
      plugins: options.workerPlugins,
      rolldownOptions: { ...toCommonOptions(options), output: toClientOutput(options) },
    },
    environments: { client: toClientEnvironment(options), ssr: toServerEnvironment(options) },
  };
}

/** What the browser loads. */
function toClientEnvironment(options: SiteConfigOptions): EnvironmentOptions {
  return {
    build: {
      outDir: options.clientFolder,
      emptyOutDir: false,
      minify: options.minify,
      sourcemap: options.clientSourceMaps,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        ...toCommonOptions(options),
        input: { client: MODULES.client },
        output: toClientOutput(options),
      },
    },
  };
}

/** The code that renders pages: during the export, and on the server when pages are rendered on request. */
function toServerEnvironment(options: SiteConfigOptions): EnvironmentOptions {
  const { lists, minify } = options;
  // Code that only renders this export's pages is removed with it.
  const isKept = lists.onRequest !== undefined;
  return {
    define: { ...toPublicDefine(process.env), ...(options.strictFetch ? {} : lightFetch) },
    resolve: { noExternal: true, conditions: ['node', 'module-sync', 'import', 'default'] },
    build: {
      ssr: true,
      outDir: options.renderFolder,
      emptyOutDir: false,
      emitAssets: false,
      // The export decides what the server needs of it, and with which maps.
      write: false,
      minify: isKept && minify,
      sourcemap: isKept && options.serverSourceMaps !== false && 'hidden',
      target: 'node20.19',
      rolldownOptions: {
        ...toCommonOptions(options),
        input: {
          ...(lists.prerendered === undefined ? {} : { [PRERENDER]: MODULES.prerender }),
          ...(isKept ? { [RENDER]: MODULES.server } : {}),
        },
        // When everything is loaded anyway, one file takes less time than one per page.
        output: { ...SERVER_OUTPUT, codeSplitting: isKept && { groups: toGroups(options) } },
      },
    },
  };
}

/** The chunks that the bundler would not make by itself. */
function toGroups({ strictMode, serverModules = new Map() }: SiteConfigOptions): Rolldown.CodeSplittingGroup[] {
  return [...(strictMode?.groups ?? []), createOwnGroup(serverModules)];
}

/** Otherwise messages, and comments in the code, would name files relative to where the export was started. */
function toCommonOptions({ projectRoot }: SiteConfigOptions): Rolldown.RolldownOptions {
  return { cwd: projectRoot, onLog: handleLog };
}

function toClientOutput(options: SiteConfigOptions): Rolldown.OutputOptions {
  return {
    ...CLIENT_NAMES,
    // Vite does not set it for workers, and their maps would start from a different folder.
    dir: options.clientFolder,
    sourcemapPathTransform: (source, map) => toFinalSource(source, { map, ...options }),
  };
}

function handleLog(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  handle: (level: Rolldown.LogLevel | 'error', log: Rolldown.RolldownLog) => void,
): void {
  // Vite would throw it as an error without a code, as if it came from a plugin.
  if (log.code === 'UNRESOLVED_IMPORT' && !log.id?.endsWith('?commonjs-external')) {
    throw Object.assign(new Error(log.message), log);
  }
  // The app's author cannot change how long plugins take on a busy machine.
  if (log.code === 'PLUGIN_TIMINGS') return;
  // A package's `"use client"` means nothing here: every component runs on both sides.
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
}

/** The path to a source from where its map will be, which is not where the bundler writes it. */
function toFinalSource(
  source: string,
  {
    map,
    base,
    clientFolder,
    outputDir,
  }: { map: string } & Pick<SiteConfigOptions, 'base' | 'clientFolder' | 'outputDir'>,
): string {
  const final = path.join(toClientFolder(path.join(outputDir, 'client'), base), path.relative(clientFolder, map));
  return toSlashes(path.relative(path.dirname(final), path.resolve(path.dirname(map), source)));
}

/** The absolute path of a source, as bundles name modules. */
export function toModuleId(projectRoot: string, file: string): string {
  return toSlashes(path.join(projectRoot, file));
}
