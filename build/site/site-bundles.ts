import type { JobFile } from '../app/job-name.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import type { ShareableModule } from '../bundle/facades.ts';
import type { BundleMap } from '../bundle/source-map.ts';
import type { SourceMapMode } from '../output/write-server.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import type { ClientChunk } from './page-assets.ts';
import type { PageLists } from './page-lists.ts';

/** What the bundles of a site depend on besides its files. */
export interface SiteBundleOptions {
  projectRoot: string;
  lists: PageLists;
  /** The path that the app is below. Absent at the root of its host. */
  base: string | undefined;
  /** What the bundler writes for the client goes here. Its URLs are below the base. */
  clientFolder: string;
  /** Where what renders pages would be, were it written. */
  renderFolder: string;
  minify: boolean;
  clientSourceMaps: boolean;
  serverSourceMaps: SourceMapMode;
  /** Packages that the server bundle leaves outside. */
  external: readonly string[];
  /** The jobs, which loaders and actions may import. */
  jobs: readonly JobFile[];
  /** Where the export goes. */
  outputDir: string;
  /** Bundles of former exports. */
  cache?: BundleCache | undefined;
  /** The bundling of the routes, waited for before a site is bundled: both at once take as long as one after the other. */
  routes?: Promise<unknown>;
  /** What pages can have from the chunks of the routes, once these are bundled. Default: nothing. */
  shareable?: Promise<readonly ShareableModule[]>;
  signal?: AbortSignal | undefined;
}

/** Both bundles of a site: what the browser loads, and what renders pages on the server. */
export interface SiteBundles {
  chunks: ClientChunk[];
  /** What was written for the client, relative to its folder. */
  clientFiles: string[];
  clientModules: ClientModules;
  /** Files that modules of the site import. */
  assets: Asset[];
  /** The modules of the bundle that renders pages. */
  serverModules: string[];
  /** That bundle. */
  renderChunks: RenderChunk[];
  /** The modules that it leaves outside. */
  external: ExternalUse[];
  /** Those that it has from the chunks of the routes. */
  shared: ShareableModule[];
  /**
   * Writes what of the client has not been written, and keeps the bundles for later exports. It takes a while, so whatever else is
   * to be waited for is better begun before.
   */
  finish(): void;
}

/** What of bundles goes into the cache as it is. */
export type BuiltBundles = Omit<SiteBundles, 'clientModules' | 'finish'>;

/** A file of code that renders pages. */
export interface RenderChunk {
  fileName: string;
  code: string;
  /** Absent without maps. Its sources are relative to the project. */
  map?: BundleMap;
  /** The files of code and the modules outside that it asks for, at once or later. */
  requires: string[];
}

/** The code of every module of the client, by its id. Asked for only when something has changed. */
export interface ClientModules {
  hash: string;
  read(): ReadonlyMap<string, string>;
}
