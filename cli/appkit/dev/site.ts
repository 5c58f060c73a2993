import type { AppDescription, SourcedPages } from 'appkit-build/development';
import type { ServerBuild } from 'appkit-server/manifest';
import type { InlineConfig, PluginOption, ViteDevServer } from 'vite';
import type { ServerModules } from './server-modules.ts';

/** What pages add to the development server. Without it, the app is its routes and middleware. */
export interface DevSite {
  /** Vite plugins for the client, and for what of the pages runs on the server. */
  plugins: PluginOption[];
  /** The app's own configuration of Vite. */
  config: InlineConfig;
  /**
   * Gives the pages as fields of the manifest and modules of the server build. Called at the start, and again whenever
   * files or the config have changed.
   */
  describe(context: SiteContext): Promise<SitePages>;
  /** The file given to `load` of the modules on which all pages depend. */
  entry: string;
  /** Has the browser ask for new data. Called when something that the entry depends on has changed. */
  refresh(context: Pick<SiteContext, 'vite'>): void;
}

/** The pages of an app, as the server build has them. */
export interface SitePages {
  /** The fields of the manifest that are of pages. */
  manifest: SourcedPages;
  /** A loader for each file that these name. */
  modules: ServerBuild['modules'];
}

/** What a site describes itself from. */
export interface SiteContext {
  vite: ViteDevServer;
  app: AppDescription;
  /** Imports modules for the server, each with everything it imports its own, as each file of a server build has. */
  modules: ServerModules;
  /** Told of an error of which the answer to the request tells nothing. Default: the adapter is. */
  onError?: (error: unknown, request: Request) => void;
}
