import type { AppDescription } from '../app/describe-app.ts';
import { bundleApp } from '../bundle/bundle-app.ts';
import type { BundleMap } from '../bundle/source-map.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import { ExportError } from '../problem.ts';
import { toManifest } from './manifest.ts';
import type { SourcedPages } from './manifest.ts';
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
}

/** The pages of an app, which other code renders. */
export interface ForeignPages {
  manifest: SourcedPages;
  /** The module that answers for each page: CommonJS that exports GET, and POST for a page with an action. */
  code: string;
}

const PAGE = '_appkit/page.js';

/**
 * Bundles an app's routes and middleware. Writes nothing.
 *
 * @throws ExportError with everything that is wrong with any of them.
 */
export async function bundleForDevelopment(
  { projectRoot, config, hasServer, routes, middleware, jobs, problems }: AppDescription,
  pages: ForeignPages,
): Promise<DevelopmentBundle> {
  const described = [...routes, ...middleware, ...jobs].flatMap((file) => file.problems);
  if (problems.length + described.length > 0) throw new ExportError([...problems, ...described]);
  const files = new Map<string, string>();
  const maps = new Map<string, BundleMap>();
  const bundled = await bundleApp(
    { projectRoot, config, routes, middleware, jobs },
    {
      minify: false,
      onCode({ output, code, map }) {
        files.set(output, code);
        if (map) maps.set(output, map);
      },
    },
  );
  if (bundled.problems.length > 0) throw new ExportError(bundled.problems);
  const { implicitHead, strictFetch, base, redirects, rewrites, headers, formOrigins } = config;
  const rules = hasServer
    ? {
        ...(redirects && { redirects }),
        ...(rewrites && { rewrites }),
        ...(headers && { headers }),
        ...(formOrigins && { formOrigins }),
      }
    : {};
  const manifest = toManifest(bundled, {
    implicitHead,
    strictFetch,
    ...(base && { base }),
    ...rules,
    ...toPages(pages.manifest),
  });
  if (manifest.pages ?? manifest.notFound) files.set(PAGE, pages.code);
  for (const [name, text] of toMarker(manifest)) files.set(name, text);
  files.set('index.js', toEntry(manifest));
  return { files, maps, sources: bundled.modules, assets: bundled.assets };
}

function toPages({ pages, notFound, trailingSlash }: SourcedPages): SourcedPages {
  return {
    ...(pages && {
      pages: pages.map((page) => ({ ...page, file: PAGE })),
    }),
    ...(notFound && { notFound: notFound.map((page) => ({ ...page, file: PAGE })) }),
    ...(trailingSlash && { trailingSlash }),
  };
}
