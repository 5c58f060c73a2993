/** Version of the manifest this copy of appkit-server writes types for and can serve. */
export const MANIFEST_VERSION = 6;

/** The HTTP methods a route file may export a handler for. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** One of the HTTP methods a route file may export a handler for. */
export type Method = (typeof METHODS)[number];

/**
 * The contents of `dist/server/_appkit/routes.json`: what `appkit export` tells the runtime about an app.
 *
 * The order of its lists has no meaning. Only the patterns decide what answers a path.
 */
export interface Manifest {
  /**
   * Raised when an older runtime could not serve the build correctly: 6 where there are jobs, 5 where `fetch` answers, 4 where a folder has middleware, or there is instrumentation or a base, 3 where a page has an action, 2 where
   * there are pages, redirects, rewrites or headers, otherwise 1. See {@link MANIFEST_VERSION}.
   */
  version: number;
  /** The app's API routes. No two have the same pattern, whatever the names of their parameters. */
  routes: ManifestRoute[];
  /**
   * The path that the app is below, such as `/shop`. All patterns and sources of the manifest are below it. Default:
   * none. A mount path from the host takes precedence.
   */
  base?: string;
  /** The code that answers all requests, of another framework. `routes` is then empty. Default: the app's own files do. */
  fetch?: ManifestFetch;
  /**
   * The module that is loaded before everything else, if it exists. Its default export, if it is a function, wraps
   * each answer like middleware.
   */
  instrumentation?: { /** A key of {@link ServerBuild.modules}. */ file: string };
  /** The middleware at the top of the app, if it exists. */
  middleware?: ManifestMiddleware;
  /**
   * The folders with their own middleware. It runs for their routes and pages, and for the paths below them that
   * nothing answers.
   */
  folders?: ManifestFolder[];
  /** The jobs of the app. Their names are unique. */
  jobs?: ManifestJob[];
  /** Answer `HEAD` from a route's `GET` when it exports no `HEAD`. Default: `false`, which answers 405. */
  implicitHead?: boolean;
  /**
   * The modules take `Request`, `Response` and `fetch` from what an adapter offers under `Symbol.for('appkit.fetch')`,
   * so that the adapter may give them requests that only these classes support. Default: `false`: they use the
   * globals.
   */
  boundFetch?: boolean;
  /** The app's pages, ranked together with `routes`. A page may have the pattern of a route, which then answers the other methods. */
  pages?: ManifestPage[];
  /** The pages for paths that nothing answers. The pattern is the folder's; the longest one that fits a path answers it. */
  notFound?: ManifestPage[];
  /**
   * How the paths of pages end: for the other form, pages answer `GET` and `HEAD` with a 308 redirect to this one.
   * Default: they answer both forms.
   */
  trailingSlash?: 'never' | 'always';
  /** Sources whose requests are redirected. */
  redirects?: ManifestRedirect[];
  /** Sources whose requests are answered by another path of the app. */
  rewrites?: ManifestRewrite[];
  /** Headers of every answer, unless it sets the same name itself. `set-cookie` is added to the answer's own. */
  headers?: Record<string, string | string[]>;
  /** Other origins whose forms are accepted with the app's cookies; `*` is any. Default: none. */
  formOrigins?: string[];
  /** Whether code of the app may call `cache()`, so that answers may be kept. Default: `false`. */
  usesCache?: boolean;
  /** How answers to some paths may be kept, as if their code had called `cache()`. */
  cache?: ManifestCacheRule[];
  /**
   * A hash of the entire server build, if answers may be kept: instances of different releases that share a store keep
   * their answers apart. Letters, digits, `-` and `_`. Default: none, and they share them.
   */
  release?: string;
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
  /**
   * The methods the module exports, in the order of {@link METHODS}. For listings: the runtime reads them from the
   * module.
   */
  methods: Method[];
  /**
   * `false` if no code of the server build uses the request's context, so that it need not be entered: what one module
   * calls may have come from another. Default: `true`.
   */
  usesContext?: boolean;
  /** Whether its code may call `cache()`, so that its answers may be kept. Default: `false`. */
  usesCache?: boolean;
  /** The middleware of its folders: as {@link ManifestFolder.middleware}. Default: none. */
  middleware?: string[];
}

/** One page of a {@link Manifest}. */
export interface ManifestPage {
  /** The URL path of the page, written as {@link ManifestRoute.pattern}. */
  pattern: string;
  /** The module, relative to the server build: a key of {@link ServerBuild.modules}. It is a {@link PageModule}. */
  file: string;
  /**
   * Modules for some parameters, tried before `file`. The key is the pattern with each parameter filled in by `encodeURIComponent`, a rest
   * segment by segment. Default: none.
   */
  prerendered?: Record<string, string>;
  /** Whether the page answers `POST` too, with `file`. Default: `false`. */
  hasAction?: boolean;
  /** Whether its code may call `cache()`, so that its answers may be kept. Default: `false`. */
  usesCache?: boolean;
  /** The middleware of its folders: as {@link ManifestFolder.middleware}. Default: none. */
  middleware?: string[];
}

/** The exports of a page's module: a finished page, or a function that renders one. */
export type PageModule = { prerendered: PrerenderedPage } | { GET: RenderPage; POST?: RenderPage };

/** Makes a page for a request. */
export type RenderPage = (request: Request, params: Record<string, string>) => Response | Promise<Response>;

/** A page finished by the export. */
export interface PrerenderedPage {
  /** The document. */
  html: string;
  /** The entity tag of `html`, quotes included: RFC 9110 section 8.8.3. */
  etag: string;
  /** The data of its loader, as JSON. Absent if it has none. */
  data?: string;
}

/** A path whose requests are redirected. */
export interface ManifestRedirect {
  /**
   * The paths it is for, written as {@link ManifestRoute.pattern}. No two sources for the same paths share a method.
   */
  source: string;
  /**
   * A path of the app or an absolute URL, encoded as in a URL. `[name]` and `[...name]`, as a segment of the path or
   * in a value of the query, stand for what the source has matched. The query of the request is kept, except for names
   * given here.
   */
  destination: string;
  /** Answer 308 instead of 307. Default: `false`. */
  permanent?: boolean;
  /** The methods it applies to; `GET` includes `HEAD`. Default: all. */
  methods?: Method[];
}

/** A path whose requests another path of the app answers, without the client seeing it. */
export interface ManifestRewrite {
  /** As {@link ManifestRedirect.source}. */
  source: string;
  /** As {@link ManifestRedirect.destination}, but a path. It is not rewritten again. */
  destination: string;
  /** As {@link ManifestRedirect.methods}. */
  methods?: Method[];
}

/** Code with its own `fetch`, as other frameworks build it. */
export interface ManifestFetch {
  /** The module that exports `fetch`, by name or in its default export: a key of {@link ServerBuild.modules}. */
  file: string;
}

/** How the answers to some paths may be kept. Times are in seconds. */
export interface ManifestCacheRule {
  /** The paths it is for, written as {@link ManifestRoute.pattern}. No two entries match the same paths. */
  source: string;
  /** How long an answer is fresh. */
  maxAge: number;
  /** How much longer it may be sent while a new one is made. Default: 0. */
  swr?: number;
  /** How much longer it may be sent if making a new one fails. Default: 0. */
  staleIfError?: number;
  /** Names for `invalidate()`. Default: only its path. */
  tags?: string[];
  /** The request headers that it depends on. Default: none. */
  vary?: string[];
}

/** A folder of a {@link Manifest} that has middleware. */
export interface ManifestFolder {
  /** The URL path of the folder, written as {@link ManifestRoute.pattern}. A group has none, and is not listed. */
  pattern: string;
  /**
   * The modules of its middleware and of the folders above, the outermost first, without that at the top of the app: keys of
   * {@link ServerBuild.modules}. Their matchers are read from them.
   */
  middleware: string[];
  /** Whether its code may call `cache()`. Default: `false`. */
  usesCache?: boolean;
}

/**
 * A job of a {@link Manifest}. How it is run is read from its module. The settings here are for uses that cannot run
 * it, such as the configuration of a host. An absent setting has its default; `unknown` is a setting that is not a
 * literal in the source.
 */
export interface ManifestJob {
  /** Its path in the routes folder, without groups, such as `orders/mail`. */
  name: string;
  /** The module, relative to the server build: a key of {@link ServerBuild.modules}. Its default export is the job. */
  file: string;
  /** When it runs by itself. Default: never. */
  schedule?: ManifestSchedule | 'unknown';
  /** `retry.attempts` of `defineJob()`. */
  attempts?: number | 'unknown';
  /** `timeoutMs` of `defineJob()`. */
  timeoutMs?: number | 'unknown';
  /** `concurrency` of `defineJob()`. */
  concurrency?: number | 'unknown';
}

/** When a job runs by itself. The input is read from its module. */
export interface ManifestSchedule {
  /** Five fields, with one space between them. */
  cron: string;
  /** An IANA name. */
  timeZone: string;
  missed: 'skip' | 'once';
}

/** The middleware at the top of an app. Its matcher is read from the module. */
export interface ManifestMiddleware {
  /** The module, relative to the server build: a key of {@link ServerBuild.modules}. */
  file: string;
  /** Whether its code may call `cache()`, so that its answers may be kept. Default: `false`. */
  usesCache?: boolean;
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
