/** Version of the manifest this copy of appkit-server writes types for and can serve. */
export const MANIFEST_VERSION = 1;

/** The HTTP methods a route file may export a handler for. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** One of the HTTP methods a route file may export a handler for. */
export type Method = (typeof METHODS)[number];

/**
 * The contents of `dist/server/_appkit/routes.json`: what `appkit export` tells the runtime about an app.
 *
 * The order of `routes` carries no meaning. Which route answers a path follows from the patterns alone.
 */
export interface Manifest {
  /** Raised when an older runtime could not serve the build correctly. See {@link MANIFEST_VERSION}. */
  version: number;
  /** The app's API routes. No two have the same pattern, whatever their parameters are called. */
  routes: ManifestRoute[];
  /** The app's middleware, when it has one. */
  middleware?: ManifestMiddleware;
  /** Answer `HEAD` from a route's `GET` when it exports no `HEAD`. Default: `false`, which answers 405. */
  implicitHead?: boolean;
  /**
   * The modules take `Request`, `Response` and `fetch` from what an adapter offers under `Symbol.for('appkit.fetch')`, so that it
   * may give them requests that only those know. Default: `false`; they have the globals.
   */
  boundFetch?: boolean;
}

/** One API route of a {@link Manifest}. */
export interface ManifestRoute {
  /**
   * The URL path the route answers, without a trailing slash (`/` for the root). A segment is literal text, decoded
   * (`café`, not `caf%C3%A9`), or `[name]` for one segment, or, in last place only, `[...name]` for one or more.
   * Groups such as `(shop)` are not part of it.
   */
  pattern: string;
  /** The module, relative to the server build, with `/` between folders: a key of {@link ServerBuild.modules}. */
  file: string;
  /** The methods the module exports, in the order of {@link METHODS}. For listings: the runtime asks the module. */
  methods: Method[];
}

/** The middleware of a {@link Manifest}. Its matcher is read from the module. */
export interface ManifestMiddleware {
  /** The module, relative to the server build: a key of {@link ServerBuild.modules}. */
  file: string;
}

/**
 * What `dist/server/index.js` exports: the manifest and a loader for each file it names.
 *
 * The generated file writes every loader out as a literal `require`, so that bundlers and file tracers see each route,
 * while none of them is loaded before its first request.
 */
export interface ServerBuild {
  /** The manifest, the same as in `_appkit/routes.json`. */
  manifest: Manifest;
  /** A loader for each file of the manifest. It may return the module or a promise of it. */
  modules: Record<string, () => unknown>;
}
