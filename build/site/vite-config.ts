import path from 'node:path';

import type { InlineConfig, Plugin, Rolldown } from 'vite';

import type { SiteBundleOptions } from './bundle-site.ts';
import { toPublicDefine } from './client-env.ts';
import { createModulesPlugin, MODULES } from './modules-plugin.ts';
import { CLIENT_ENTRY, SERVER_ENTRY } from './site-module.ts';

/** Where the files of the client bundle go, below `dist/client`. */
const ASSETS = '_appkit/assets';

/** As `serve` and hosts recognise what never changes. */
const CLIENT_NAMES = {
  hashCharacters: 'hex',
  entryFileNames: `${ASSETS}/[name]-[hash].js`,
  chunkFileNames: `${ASSETS}/[name]-[hash].js`,
  assetFileNames: `${ASSETS}/[name]-[hash][extname]`,
} as const;

/** What the configuration of a site depends on. */
export interface SiteConfigOptions extends Omit<SiteBundleOptions, 'outputDir' | 'cache' | 'routes' | 'signal'> {
  plugins: Plugin[];
  /** Makes those of the bundle of a worker, once for each. */
  workerPlugins: () => Plugin[];
}

/** The configuration of both bundles: what the browser loads, and what renders pages on the server. */
export function toViteConfig(options: SiteConfigOptions): InlineConfig {
  const { projectRoot, minify } = options;
  return {
    root: projectRoot,
    mode: 'production',
    appType: 'custom',
    logLevel: 'warn',
    publicDir: false,
    // Variables are those of the process: nothing reads .env.
    envDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { assetsDir: ASSETS },
    plugins: [
      createModulesPlugin({ client: CLIENT_ENTRY, server: SERVER_ENTRY, site: () => options.siteModule }),
      ...options.plugins,
    ],
    worker: { plugins: options.workerPlugins, rolldownOptions: { output: CLIENT_NAMES } },
    environments: {
      client: {
        build: {
          outDir: options.clientFolder,
          emptyOutDir: false,
          minify,
          sourcemap: options.clientSourceMaps,
          modulePreload: { polyfill: false },
          rolldownOptions: {
            onLog: ignoreDirectives,
            input: { client: MODULES.client },
            output: CLIENT_NAMES,
          },
        },
      },
      ssr: {
        define: toPublicDefine(process.env),
        resolve: { noExternal: true, external: [...options.external], conditions: ['node', 'import', 'default'] },
        build: {
          ssr: true,
          outDir: options.serverFolder,
          emptyOutDir: false,
          emitAssets: false,
          minify,
          sourcemap: options.serverSourceMaps === 'external' ? true : options.serverSourceMaps,
          target: 'node20.19',
          rolldownOptions: {
            onLog: ignoreDirectives,
            input: { render: MODULES.server },
            output: {
              format: 'cjs',
              exports: 'named',
              hashCharacters: 'hex',
              entryFileNames: '[name].js',
              chunkFileNames: '[name]-[hash].js',
              sourcemapExcludeSources: true,
              keepNames: true,
            },
          },
        },
      },
    },
  };
}

/** `"use client"` of a package means nothing here: every component runs in both places. */
function ignoreDirectives(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  handle: (level: Rolldown.LogLevel | 'error', log: Rolldown.RolldownLog) => void,
): void {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
}

/** The absolute path of a source, as modules are called in a bundle. */
export function toModuleId(projectRoot: string, file: string): string {
  return path.posix.join(projectRoot, file);
}
