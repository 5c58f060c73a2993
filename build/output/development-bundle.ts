import type { AppDescription } from '../app/describe-app.ts';
import { bundleApp } from '../bundle/bundle-app.ts';
import type { BundleMap } from '../bundle/source-map.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import type { Resolve } from '../bundle/plugins/page-parts.ts';
import { ExportError } from '../problem.ts';
import { toManifest } from './manifest.ts';
import type { SourcedPages } from './manifest.ts';
import { toHostedPages } from './hosted-pages.ts';
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
  /** `import.meta.env` of their loaders. */
  env: Readonly<Record<string, unknown>>;
  /** Resolves what the bundler cannot. */
  resolve: Resolve;
}

/**
 * Bundles an app's routes and middleware, and the loaders and actions of its pages. Writes nothing.
 *
 * @throws ExportError with everything that is wrong with any of them.
 */
export async function bundleForDevelopment(
  { projectRoot, config, hasServer, routes, middleware, jobs, problems, site }: AppDescription,
  pages: ForeignPages,
): Promise<DevelopmentBundle> {
  const described = [...routes, ...middleware, ...jobs].flatMap((file) => file.problems);
  if (problems.length + described.length > 0) throw new ExportError([...problems, ...described]);
  const files = new Map<string, string>();
  const maps = new Map<string, BundleMap>();
  const hosted = toHostedPages(pages.manifest, { projectRoot, site });
  const bundled = await bundleApp(
    { projectRoot, config, routes, middleware, jobs },
    {
      minify: false,
      pages: { parts: hosted.parts, env: pages.env, resolve: pages.resolve },
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
    ...hosted.manifest,
  });
  for (const [name, code] of hosted.files) files.set(name, code);
  for (const [name, text] of toMarker(manifest)) files.set(name, text);
  files.set('index.js', toEntry(manifest));
  return { files, maps, sources: bundled.modules, assets: bundled.assets };
}
