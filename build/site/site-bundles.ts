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
  /** Where the bundler writes the client's files. Their URLs are below the base. */
  clientFolder: string;
  /** Where the code that renders pages would be, if it were written. */
  renderFolder: string;
  minify: boolean;
  clientSourceMaps: boolean;
  serverSourceMaps: SourceMapMode;
  /** Packages that are not bundled for the server. */
  external: readonly string[];
  /** Leave Request, Response and fetch on the server native, on every host. */
  strictFetch: boolean;
  /** The jobs, which loaders and actions may import. */
  jobs: readonly JobFile[];
  /** Where the export goes. */
  outputDir: string;
  /** Bundles of earlier exports. */
  cache?: BundleCache | undefined;
  /**
   * The bundling of the routes, which finishes before the site is bundled: both at once take as long as one after the
   * other.
   */
  routes?: Promise<unknown>;
  /** The modules that pages can import from the routes' chunks, once these are bundled. Default: none. */
  shareable?: Promise<readonly ShareableModule[]>;
  signal?: AbortSignal | undefined;
}

/** Both bundles of a site: the one for browsers, and the one that renders pages on the server. */
export interface SiteBundles {
  chunks: ClientChunk[];
  /** The files written for the client, relative to its folder. */
  clientFiles: string[];
  clientModules: ClientModules;
  /** Files that modules of the site import. */
  assets: Asset[];
  /** The modules of the bundle that renders pages. */
  serverModules: string[];
  /** That bundle. */
  renderChunks: RenderChunk[];
  /** The external modules that it uses. */
  external: ExternalUse[];
  /** The modules that it imports from the routes' chunks. */
  shared: ShareableModule[];
  /** Warnings for the app's author. */
  warnings: string[];
  /**
   * Writes the remaining client files, and keeps the bundles for later exports. It takes a while, so start anything
   * else that has to be awaited first.
   */
  finish(): void;
}

/** The part of the bundles that goes into the cache unchanged. */
export type BuiltBundles = Omit<SiteBundles, 'clientModules' | 'finish'>;

/** A file of the code that renders pages. */
export interface RenderChunk {
  fileName: string;
  code: string;
  /** Absent without maps. Its sources are relative to the project. */
  map?: BundleMap;
  /** The code files and external modules that it loads, statically or dynamically. */
  requires: string[];
}

/** The code of every client module, by its id. Requested only when something has changed. */
export interface ClientModules {
  hash: string;
  read(): ReadonlyMap<string, string>;
}
