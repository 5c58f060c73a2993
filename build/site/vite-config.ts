import path from 'node:path';

import type { EnvironmentOptions, InlineConfig, Logger, Plugin, Rolldown } from 'vite';

import { toClientFolder } from '../output/client-folder.ts';
import { toAssetName } from '../bundle/plugins/assets.ts';
import type { SiteBundleOptions } from './site-bundles.ts';
import { toPublicDefine } from '../secrets/client-env.ts';
import { createBasePlugin } from './base-plugin.ts';
import { createModulesPlugin, MODULES } from './modules-plugin.ts';
import { CLIENT_ENTRY, SERVER_ENTRY, toPrerenderEntry } from './site-module.ts';
import { PRERENDER, RENDER } from '../pages/write-renderer.ts';

/** Where the files of the client bundle go, below `dist/client`. */
const ASSETS = '_appkit/assets';

/** As `serve` and hosts recognise what never changes. */
const CLIENT_NAMES = {
  hashCharacters: 'hex',
  entryFileNames: `${ASSETS}/[name]-[hash].js`,
  chunkFileNames: `${ASSETS}/[name]-[hash].js`,
  // Files have the names that modules know them by: what a style sheet draws is not written again.
  assetFileNames: ({ names: [name], originalFileNames: [file], source }: Rolldown.PreRenderedAsset) =>
    // What is made of modules is called after one of them, and of a style sheet this is not yet all.
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
  sourcemapExcludeSources: true,
  keepNames: true,
} as const;

/** What the configuration of a site depends on. */
export interface SiteConfigOptions extends Omit<SiteBundleOptions, 'cache' | 'routes' | 'signal'> {
  plugins: Plugin[];
  customLogger: Logger;
  /** Makes those of the bundle of a worker, once for each. */
  workerPlugins: () => Plugin[];
}

/** The configuration of both bundles: what the browser loads, and what renders pages on the server. */
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
    // Variables are those of the process: nothing reads .env.
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

/** What renders pages: during the export, and on the server when there are pages on request. */
function toServerEnvironment(options: SiteConfigOptions): EnvironmentOptions {
  const { lists, minify } = options;
  // What only renders the pages of this export is gone with it.
  const isKept = lists.onRequest !== undefined;
  return {
    define: toPublicDefine(process.env),
    resolve: { noExternal: true, conditions: ['node', 'import', 'default'] },
    build: {
      ssr: true,
      outDir: options.renderFolder,
      emptyOutDir: false,
      emitAssets: false,
      // What the server needs of it, and with which maps, is for the export to write.
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
        // Where all is loaded anyway, one file takes less time than one for each page.
        output: { ...SERVER_OUTPUT, codeSplitting: isKept },
      },
    },
  };
}

/** Otherwise messages, and comments in the code, would name files as seen from wherever the export is started. */
function toCommonOptions({ projectRoot }: SiteConfigOptions): Rolldown.RolldownOptions {
  return { cwd: projectRoot, onLog: handleLog };
}

function toClientOutput(options: SiteConfigOptions): Rolldown.OutputOptions {
  return {
    ...CLIENT_NAMES,
    // Vite does not say it for workers, and their maps would start from somewhere else.
    dir: options.clientFolder,
    sourcemapPathTransform: (source, map) => toFinalSource(source, { map, ...options }),
  };
}

function handleLog(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  handle: (level: Rolldown.LogLevel | 'error', log: Rolldown.RolldownLog) => void,
): void {
  // Vite would throw it as an error without a code, as if it were a plugin's.
  if (log.code === 'UNRESOLVED_IMPORT' && !log.id?.endsWith('?commonjs-external')) {
    throw Object.assign(new Error(log.message), log);
  }
  // How long plugins take on a busy machine is nothing that the author of an app could change.
  if (log.code === 'PLUGIN_TIMINGS') return;
  // `"use client"` of a package means nothing here: every component runs in both places.
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
}

/** The way to a source from where its map will be, which is not where the bundler writes it. */
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
  return path.relative(path.dirname(final), path.resolve(path.dirname(map), source)).replaceAll(path.sep, '/');
}

/** The absolute path of a source, as modules are called in a bundle. */
export function toModuleId(projectRoot: string, file: string): string {
  return path.posix.join(projectRoot, file);
}
