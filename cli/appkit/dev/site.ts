import type { AppDescription, SourcedPages } from 'appkit-build/development';
import type { ServerBuild } from 'appkit-server/manifest';
import type { InlineConfig, PluginOption, ViteDevServer } from 'vite';
import type { ServerModules } from './server-modules.ts';

/** What pages add to the development server. Without it, the app is its routes and middleware. */
export interface DevSite {
  /** Vite plugins for the client, and for the server part of the pages. */
  plugins: PluginOption[];
  /** The app's own configuration of Vite. */
  config: InlineConfig;
  /** The files from which that configuration was read, absolute. */
  configFiles: readonly string[];
  /**
   * Returns the pages as fields of the manifest and modules of the server build. Called at the start, and again
   * whenever files or the config have changed.
   */
  describe(context: SiteContext): Promise<SitePages>;
  /** The file to pass to `load` of the modules, on which all pages depend. */
  entry: string;
  /** Makes the browser request new data. Called when a dependency of the entry has changed. */
  refresh(context: Pick<SiteContext, 'vite'>): void;
}

/** The pages of an app, as the server build has them. */
export interface SitePages {
  /** The manifest's fields for pages. */
  manifest: SourcedPages;
  /** A loader for each file that those fields name. */
  modules: ServerBuild['modules'];
  /** For each of those files, what answers a host that runs the loaders. */
  hosted: Readonly<Record<string, (call: HostedCall) => Promise<Response>>>;
}

/** The results of the loaders of a page as text, which appkit-router writes and reads. */
export interface LoadedLines {
  first: string;
  rest?: AsyncIterable<string>;
}

/** A request for a page that has reached a host. */
export interface HostedCall {
  /** The page's file in the manifest. */
  file: string;
  params: Record<string, string>;
  /** The nonce of the answer's Content-Security-Policy. */
  nonce?: string | undefined;
  request: Request;
  /** Its loaders and its action run here, since they cannot run in the host. */
  isWhole: boolean;
  /** The results of the loaders. `undefined`: they have not run in the host, since the page may not need them. */
  lines?: LoadedLines | undefined;
}

/** The inputs from which a site describes its pages. */
export interface SiteContext {
  vite: ViteDevServer;
  app: AppDescription;
  /** Imports modules for the server, each with everything it imports its own, as each file of a server build has. */
  modules: ServerModules;
  /** The same without the loaders and actions of pages, if these run elsewhere. */
  views?: ServerModules | undefined;
  /** Called with an error that the answer to the request does not show. Default: the adapter receives it. */
  onError?: (error: unknown, request: Request) => void;
}
