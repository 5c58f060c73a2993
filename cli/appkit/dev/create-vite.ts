import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import {
  createEnvironmentPlugin,
  createFileNamesGuard,
  createJobNamesPlugin,
  createJsonPlugin,
  SITE_MODULES,
} from 'appkit-build/development';
import type { AppDescription } from 'appkit-build/development';
import type { InlineConfig, Logger, Plugin, ViteDevServer } from 'vite';
import { withoutMark } from '../env-file.ts';
import { createAccessPlugin, NEVER_SHOWN } from './file-access.ts';
import type { LoadedVite } from './load-vite.ts';
import { UNREADABLE } from './report.ts';
import type { Reporter } from './report.ts';
import type { DevSite } from './site.ts';
import { createReturnPlugin } from './top-level-return.ts';
import { VITE_BASE } from './vite-base.ts';

/** The packages that every site's client imports. */
const PREBUNDLED = [
  'appkit-router',
  'appkit-router/client',
  'appkit-router/html',
  'react',
  'react-dom',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
];

/** What is needed to create an app's Vite server. */
export interface ViteSettings {
  projectRoot: string;
  site: DevSite | undefined;
  /** The jobs of the app as it is now. */
  findJobs(): AppDescription['jobs'];
  reporter: Reporter;
  /** Whether the loaders and actions of pages run elsewhere. Default: false. */
  isHosted?: boolean | undefined;
  /** The server of `appkit start`. Default: none, so no browser requests files and they do not change. */
  development?:
    | {
        /** The name or address it listens on. */
        host: string;
        /** The server that receives the WebSocket upgrades of Vite's client. */
        server: Server;
      }
    | undefined;
}

/**
 * Creates the Vite server that transforms and watches the app's files. It reads only the app: no .env, and a
 * vite.config only where there are pages, as an export does.
 */
export async function createVite(loaded: LoadedVite, settings: ViteSettings): Promise<ViteDevServer> {
  const { projectRoot, site, findJobs, reporter, development, isHosted } = settings;
  const { vite } = loaded;
  const config: InlineConfig = {
    root: projectRoot,
    base: VITE_BASE,
    cacheDir: path.join(projectRoot, '.appkit/vite'),
    configFile: false,
    envDir: false,
    publicDir: false,
    appType: 'custom',
    customLogger: createLogger(vite, reporter),
    clearScreen: false,
    // As in the bundles of an export. Vite itself compiles no .cts.
    resolve: { tsconfigPaths: true },
    oxc: { include: [/\.(?:[cm]?ts|[jt]sx)$/] },
    // Before the access plugin: for server code, the message of the page guard says more.
    plugins: [
      createEnvironmentPlugin(),
      textPlugin(),
      createReturnPlugin(vite),
      namePlugin(projectRoot),
      createFileNamesGuard(projectRoot),
      createJsonPlugin() as Plugin,
      createJobNamesPlugin(projectRoot, findJobs) as Plugin,
      ...(site?.plugins ?? []),
      createAccessPlugin(loaded),
    ],
    server: {
      middlewareMode: true,
      ...(development && { allowedHosts: [development.host] }),
      fs: { strict: true, allow: [projectRoot], deny: [...NEVER_SHOWN] },
      // Pages of other origins must not read the sources.
      cors: false,
      watch: development
        ? { ignored: ['.appkit', '.wrangler', 'dist'].map((name) => path.join(projectRoot, name, '**')) }
        : null,
      // Without pages, no client needs updates, so no port is opened.
      ...(site && development ? { hmr: { server: development.server } } : { hmr: false, ws: false }),
    },
    // Routes import packages through Node. The site adds its pages to the entries.
    optimizeDeps: site && development ? { entries: [], include: PREBUNDLED } : { noDiscovery: true, include: [] },
    environments: {
      ssr: {
        resolve: {
          // Those of Node, as in an export. By default, Vite has `module` too, which is for bundlers alone.
          conditions: ['node', 'module-sync', 'development|production'],
          ...(site ? { external: ['appkit-router'] } : {}),
        },
      },
      ...(site && isHosted ? { [SITE_MODULES.viewEnvironment]: {} } : {}),
    },
  };
  return vite.createServer(site ? vite.mergeConfig(site.config, config) : config);
}

/**
 * Prints a module's error once and in our format: Vite would print it for each client module that imports it, and when
 * it scans the pages for packages.
 */
function createLogger(vite: LoadedVite['vite'], reporter: Reporter): Logger {
  const logger = vite.createLogger('error', { allowClearScreen: false });
  const { error } = logger;
  logger.error = (message, options) => {
    if (options?.error) reporter.errorOnce(options.error, UNREADABLE);
    else if (!message.includes('Failed to run dependency scan')) error(message, options);
  };
  return logger;
}

/**
 * In an exported route, an imported text file is a string; Vite would return its URL. The text has no byte order mark, also
 * with `?raw`.
 */
function textPlugin(): Plugin {
  return {
    name: 'appkit:text',
    enforce: 'pre',
    applyToEnvironment: ({ config }) => config.consumer === 'server',
    load: {
      filter: { id: /^[^\0]*(?:\.txt|\?raw)$/ },
      handler: async (id) => {
        const text = withoutMark(await readFile(id.replace(/\?raw$/, ''), 'utf8'));
        return `export default ${JSON.stringify(text)};`;
      },
    },
  };
}

/** Vite takes `#` for the beginning of a fragment, and would ask whether the file exists. */
function namePlugin(projectRoot: string): Plugin {
  return {
    name: 'appkit:file-name',
    load: {
      filter: { id: /#/ },
      handler(id) {
        if (!existsSync(id)) return;
        const file = path.relative(projectRoot, id).replaceAll(path.sep, '/');
        throw new Error(`${file}: Vite cannot read a file with # in its name. Rename it.`);
      },
    },
  };
}
