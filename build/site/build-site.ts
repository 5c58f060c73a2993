import { rm } from 'node:fs/promises';
import path from 'node:path';

import type { TrailingSlash, WebOutput } from '../config/app-config.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import { toPackageName } from '../packages/package-of.ts';
import type { ShareableModule } from '../bundle/facades.ts';
import { toClientFolder } from '../output/client-folder.ts';
import { ExportError } from '../problem.ts';
import type { SourceMapMode } from '../output/write-server.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import { bundleSite } from './bundle-site.ts';
import type { ClientModules } from './site-bundles.ts';
import { dividePages } from './divide-pages.ts';
import { findMissingForSite } from './load-vite.ts';
import { createAssetFinder } from './page-assets.ts';
import type { PageExports } from './page-exports.ts';
import { writePageLists } from './page-lists.ts';
import { startPrerenderer } from '../pages/prerender.ts';
import { readAhead } from '../secrets/find-clues.ts';
import type { ClientProof } from '../secrets/prove-client.ts';
import type { SiteFiles } from './scan-pages.ts';
import { toModuleId } from './vite-config.ts';
import { writePages } from '../pages/write-pages.ts';
import type { SiteManifest } from '../pages/write-pages.ts';
import type { JobFile } from '../app/job-name.ts';
import type { ManifestOptions } from '../output/manifest.ts';
import { mayUseCache, mayUseContext } from '../bundle/bundle-app.ts';
import { findExternals, PRERENDER, RENDER_FOLDER, writeRenderer } from '../pages/write-renderer.ts';

/** What the build of a site depends on besides its files. */
export interface SiteOptions {
  projectRoot: string;
  output: WebOutput;
  /** The folder of the export, which contains `client` and `server`. */
  folder: string;
  minify: boolean;
  /** Write source maps of the client bundle. */
  clientSourceMaps: boolean;
  serverSourceMaps: SourceMapMode;
  external: readonly string[];
  /** Leave Request, Response and fetch on the server native, on every host. */
  strictFetch: boolean;
  /** The jobs, which loaders and actions may import. */
  jobs: readonly JobFile[];
  /** Patterns of API routes that may answer in place of a page. */
  documents: readonly string[];
  /** Patterns of redirects and rewrites that may apply to a page. */
  rules: readonly string[];
  /** The path that the app is below. Absent at the root of its host. */
  base: string | undefined;
  /** How page paths end. Absent when both forms are answered. */
  trailingSlash: TrailingSlash | undefined;
  /** The result of {@link checkSite}. */
  exports: PageExports;
  /** Where the export goes. */
  outputDir: string;
  /** Bundles of earlier exports. */
  cache: BundleCache;
  /** The bundling of the routes, as {@link bundleSite} accepts it. */
  routes: Promise<unknown>;
  /** The modules that pages can import from the routes' chunks, as {@link bundleSite} accepts them. */
  shareable: Promise<readonly ShareableModule[]>;
  /**
   * Writes the routes, with chunks for the modules that pages import from them: into the export, and also into another
   * folder. Returns whether those modules may call `cache()`.
   */
  writeRoutes: (shared: readonly ShareableModule[], otherFolder: string) => Promise<{ usesCache: boolean }>;
  signal: AbortSignal;
}

/** A written site. */
export interface BuiltSite {
  /** What the server build says about the pages. */
  manifest: SiteManifest & Pick<ManifestOptions, 'usesCache' | 'usesContext'>;
  /** Files that modules of the site import. */
  assets: Asset[];
  /** The modules that must be next to the code that renders on request. */
  external: ExternalUse[];
  /** The external packages that any of its pages imports, also one that the export has finished. */
  importedExternals: ReadonlySet<string>;
  /** Warnings for the app's author. */
  warnings: string[];
  /** What is searched for things that must not be in it. */
  proof: Pick<ClientProof, 'clientFiles'> & {
    clientModules: ClientModules;
    documents: string[];
    serverModules: string[];
  };
}

/**
 * Builds the pages of an app: the client bundle, and the HTML or the code that renders it.
 *
 * @throws ExportError with what is wrong with the pages.
 */
export async function buildSite(site: SiteFiles, options: SiteOptions): Promise<BuiltSite> {
  const { projectRoot, folder } = options;
  const missing = findMissingForSite(projectRoot);
  if (missing.length > 0) throw new ExportError(missing);
  const divided = dividePages(site, options);
  const lists = writePageLists(site, divided, options);
  const clientFolder = toClientFolder(path.join(folder, 'client'), options.base);
  const workFolder = path.join(folder, '.site');
  // Not next to anything that is kept, and at the same folder depth as in the server build.
  const renderFolder = path.join(workFolder, RENDER_FOLDER);
  // It takes a while to be ready.
  const prerenderer = startPrerenderer(path.join(renderFolder, `${PRERENDER}.js`));
  const close = (): Promise<void> => prerenderer.close();
  // A page may wait for something that never happens.
  options.signal.addEventListener('abort', close, { once: true });
  try {
    const bundles = await bundleSite(site, { ...options, lists, clientFolder, renderFolder });
    const { assets, clientFiles, clientModules, serverModules } = bundles;
    writeRenderer(bundles.renderChunks, { ...options, renderFolder });
    const fromRoutes = await options.writeRoutes(bundles.shared, workFolder);
    const findAssets = createAssetFinder(bundles.chunks, options.base);
    const documents: string[] = [];
    const writing = writePages(site, {
      ...options,
      clientFolder,
      documents,
      prerendered: new Set([...divided.prerendered.pages, ...divided.prerendered.notFound]),
      pages: site.pages,
      notFound: site.notFound,
      names: new Map(),
      assetsOf: ({ file, layouts }) => findAssets([...layouts, file].map((source) => toModuleId(projectRoot, source))),
      shellAssets: findAssets([]),
      prerenderer,
    });
    const workMeanwhile = async (): Promise<void> => {
      bundles.finish();
      await readAhead(serverModules, options);
    };
    const [manifest] = await Promise.all([writing, workMeanwhile()]);
    const external = findExternals(bundles);
    const usesCache = fromRoutes.usesCache || bundles.renderChunks.some(mayUseCache);
    return {
      manifest: {
        ...(usesCache ? withCache(manifest) : manifest),
        usesContext: mayUseContext(bundles.renderChunks, external),
      },
      assets,
      external,
      importedExternals: new Set(bundles.external.map(({ specifier }) => toPackageName(specifier))),
      warnings: bundles.warnings,
      proof: { clientFiles, clientModules, documents, serverModules },
    };
  } catch (error) {
    // The waiting code was told that the thread ended, but not why.
    options.signal.throwIfAborted();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', close);
    await close();
    // Nothing is rendered with it after everything is written.
    await rm(workFolder, { recursive: true, force: true });
  }
}

// Pages share the code that renders them, so it does not show which of them calls cache().
function withCache({ pages, ...manifest }: SiteManifest): BuiltSite['manifest'] {
  return { ...manifest, ...(pages && { pages: pages.map((page) => ({ ...page, usesCache: true })) }), usesCache: true };
}
