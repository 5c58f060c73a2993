import type { AppDescription } from '../app/describe-app.ts';
import { bundleApp } from '../bundle/bundle-app.ts';
import type { BundleAppOptions, BundledApp } from '../bundle/bundle-app.ts';
import type { BundleMap } from '../bundle/source-map.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import type { ViteTools } from '../bundle/plugins/page-parts.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { findSecretAssets } from '../secrets/secret-files.ts';
import { toManifest } from './manifest.ts';
import type { SourcedPages } from './manifest.ts';
import { toHostedPages } from './hosted-pages.ts';
import type { HostedPages } from './hosted-pages.ts';
import { toEntry, toMarker } from './write-server.ts';

/** An app's routes and middleware, bundled as for an export, for a host that runs them in development. */
export interface DevelopmentBundle {
  /** The server build: texts by their paths in it. */
  files: ReadonlyMap<string, string>;
  /** By the same paths, the source position of each position in the code. */
  maps: ReadonlyMap<string, BundleMap>;
  /** The app files that it is made from, by absolute path. */
  sources: ReadonlySet<string>;
  /** Files whose URLs the code contains. */
  assets: readonly Asset[];
  /** Why the loaders and actions of pages are not in it. None: they are, or no page has any. */
  loadersInNode: readonly Problem[];
}

/** The pages of an app, which other code renders. */
export interface ForeignPages {
  manifest: SourcedPages;
  /** What their loaders have of Vite. */
  tools: ViteTools;
  /** Whether workerd runs the bundle as it is, without the packages that are external. Default: `false`. */
  inWorkerd?: boolean;
}

/**
 * Bundles an app's routes and middleware, and the loaders and actions of its pages. Writes nothing.
 *
 * The routes are bundled alone first, with nothing of Vite but its constants, as in an export. If the loaders cannot be bundled with
 * them, the routes are what is given.
 *
 * @throws ExportError with everything that is wrong with a route, a middleware or a job, and with secrets that a URL
 * would make public.
 */
export async function bundleForDevelopment(
  description: AppDescription,
  { manifest, tools, inWorkerd = false }: ForeignPages,
): Promise<DevelopmentBundle> {
  const { projectRoot, routes, middleware, jobs, problems, site } = description;
  const described = [...routes, ...middleware, ...jobs].flatMap((file) => file.problems);
  if (problems.length + described.length > 0) throw new ExportError([...problems, ...described]);
  const alone = toHostedPages(manifest, { projectRoot, site, inHost: false });
  const hostPage = alone.hostPage ? [alone.hostPage] : [];
  const { constants } = tools;
  const routesAlone = await collect(description, { constants, inWorkerd, pages: { parts: hostPage } });
  if (routesAlone.bundled.problems.length > 0) throw new ExportError(routesAlone.bundled.problems);
  const hosted = toHostedPages(manifest, { projectRoot, site, inHost: true });
  if (hosted.parts.length === 0) return toBundle(description, alone, routesAlone);
  const all = await collect(description, {
    constants,
    inWorkerd,
    pages: { parts: [...hostPage, ...hosted.parts], tools, ofRoutes: routesAlone.bundled.modules },
  });
  if (all.bundled.problems.length === 0) return toBundle(description, hosted, all);
  // To be bundled again when one of them changes.
  const sources = new Set([...routesAlone.bundled.modules, ...all.bundled.modules]);
  return { ...toBundle(description, alone, routesAlone), sources, loadersInNode: all.bundled.problems };
}

/** The bundled files of an app, with their code. */
interface Collected {
  bundled: BundledApp;
  files: Map<string, string>;
  maps: Map<string, BundleMap>;
}

async function collect(
  { projectRoot, config, routes, middleware, jobs }: AppDescription,
  options: Pick<BundleAppOptions, 'constants' | 'inWorkerd' | 'pages'>,
): Promise<Collected> {
  const files = new Map<string, string>();
  const maps = new Map<string, BundleMap>();
  const bundled = await bundleApp(
    { projectRoot, config, routes, middleware, jobs },
    {
      ...options,
      minify: false,
      onCode({ output, code, map }) {
        files.set(output, code);
        if (map) maps.set(output, map);
      },
    },
  );
  const secrets = findSecretAssets(bundled.assets, projectRoot);
  if (secrets.length > 0) throw new ExportError(secrets);
  return { bundled, files, maps };
}

function toBundle(
  { config, hasServer }: AppDescription,
  pages: HostedPages,
  { bundled, files, maps }: Collected,
): DevelopmentBundle {
  const { implicitHead, strictFetch, base } = config;
  const manifest = toManifest(bundled, {
    ...(hasServer && config),
    implicitHead,
    strictFetch,
    ...(base && { base }),
    ...pages.manifest,
  });
  for (const [name, code] of pages.files) files.set(name, code);
  for (const [name, text] of toMarker(manifest)) files.set(name, text);
  files.set('index.js', toEntry(manifest));
  return { files, maps, sources: bundled.modules, assets: bundled.assets, loadersInNode: [] };
}
