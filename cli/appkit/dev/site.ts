import type { AppDescription } from 'appkit-build';
import type { Manifest, ServerBuild } from 'appkit-server/manifest';
import type { PluginOption, ViteDevServer } from 'vite';
import type { ModuleExports } from './server-modules.ts';

/** What pages add to the development server. Without it, the app is its routes and middleware. */
export interface DevSite {
  /** Vite plugins for the client, and for what of the pages runs on the server. */
  plugins: PluginOption[];
  /**
   * Gives the pages as fields of the manifest and modules of the server build. Called at the start, and again whenever
   * files or the config have changed.
   */
  describe(context: SiteContext): Promise<SitePages>;
}

/** The pages of an app, as the server build has them. */
export interface SitePages {
  /** The fields of the manifest that are of pages. */
  manifest: Partial<Manifest>;
  /** A loader for each file that these name. */
  modules: ServerBuild['modules'];
  /** The patterns of the pages, for the types of the routes. */
  patterns: readonly string[];
}

/** What a site describes itself from. */
export interface SiteContext {
  vite: ViteDevServer;
  app: AppDescription;
  /** Imports a module for the server, with everything it imports its own, as each file of a server build has. */
  load(file: string): Promise<ModuleExports>;
}
