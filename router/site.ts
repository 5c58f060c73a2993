import type { TrailingSlash } from 'appkit-server/match';
import type { ComponentType, ReactNode } from 'react';

/**
 * Everything the router knows of an app: the export and the development server write it as a module, with one
 * literal `import()` per file, so that each page is a chunk of its own.
 */
export interface Site {
  /** The pages. No two have the same pattern, whatever their parameters are called. */
  pages: readonly SitePage[];
  /** The `+not-found` pages. The pattern of each is its folder. */
  notFound: readonly SitePage[];
  /** Patterns of API routes that may answer instead of a page. They are ranked with the pages. */
  documents: readonly string[];
  /** Patterns of redirects and rewrites that may apply to a page. They come before every page, whatever its rank. */
  rules: readonly string[];
  /** The component of `+html`, otherwise {@link DefaultHtml}. */
  Html: ComponentType<HtmlProps>;
  /** Where the client gets the data of a page: from the page's own URL, or from a file next to it. */
  data: 'server' | 'files';
  /** One HTML file serves every URL, so the client itself finds out that a URL has no page. */
  isSinglePage: boolean;
  /** The path that the app is below, such as `/shop`. Default: none. */
  base?: string | undefined;
  /** How page paths end. Absent when paths may end with or without a slash. */
  trailingSlash?: TrailingSlash | undefined;
}

/** A page, not loaded yet. */
export interface SitePage {
  /** The URL path, as a manifest pattern: `/items/[id]`. */
  pattern: string;
  /** Loads the module of the page. */
  load: () => Promise<PageModule>;
  /** Its layouts, the outermost first. A layout is the same object for all its pages. */
  layouts: readonly SiteLayout[];
  /** Whether the page has a loader. The client's module of the page does not contain it. */
  hasLoader: boolean;
  /** Whether the page has an action. The client's module of the page does not contain it. */
  hasAction: boolean;
}

/** A layout, not loaded yet. */
export interface SiteLayout {
  /** Loads the module of the layout. */
  load: () => Promise<LayoutModule>;
  /** Whether the layout has a loader. The client's module of the layout does not contain it. */
  hasLoader: boolean;
  /** The names of the parameters in the path of its folder: its data depend on their values. */
  params: readonly string[];
}

/** The exports of a page file. */
export interface PageModule {
  /** The page. */
  default: ComponentType;
  /** Provides the page's data. Only the server has it. */
  loader?: Loader;
  /** Answers `POST` requests to the page's own URL, which its forms send. Only the server has it. */
  action?: Action;
  /** `false`: the page sends no JavaScript, and no client takes it over. Default: `true`. */
  hydrate?: boolean;
  /** Shown in place of the page when it, its loader, or its action throws. */
  ErrorBoundary?: ComponentType<ErrorBoundaryProps>;
}

/** The exports of a `_layout` file. */
export interface LayoutModule {
  /** The layout: it renders `<Slot />` where the page goes. */
  default: ComponentType;
  /** Provides the layout's data, at the same time as the page's loader. Only the server has it. */
  loader?: Loader;
  /** Shown in place of the layout when it, its loader, or something inside it without a nearer boundary throws. */
  ErrorBoundary?: ComponentType<ErrorBoundaryProps>;
}

/**
 * Provides the data of a page or a layout, on the server.
 *
 * @param request – for the page, or only for its data when the client navigates to it; its URL is the page's URL.
 * @param params – the parameters of the path.
 * @returns what `useLoaderData` returns: JSON, `Date`, `Map`, `Set`, `BigInt`, `URL`, `undefined`, objects that refer
 * to each other, and promises of these. A `Response` with JSON gives the data, a status and headers.
 */
export type Loader<Params = Record<string, string>> = (request: Request, params: Params) => unknown;

/**
 * Answers a form of a page, on the server. A form of another origin never reaches it.
 *
 * @param request – its body is what was sent, such as `await request.formData()`.
 * @param params – the parameters of the path.
 * @returns what `useActionData` returns, like the data of a {@link Loader}: the page is shown with it, and its loaders
 * are run again. If the server has another release than the page in the browser, the page keeps its data. A `Response`
 * may be a redirect.
 */
export type Action<Params = Record<string, string>> = Loader<Params>;

/** The props of the component of `+html`. */
export interface HtmlProps {
  /** Goes into `<body>`. */
  children: ReactNode;
}

/** The props of an `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  /** The thrown value. An error from the server has a `status`, and in production it may have another message. */
  error: unknown;
  /** Loads and renders the page again. */
  retry: () => void;
}

/** A layout or a page, loaded, with its data. */
export interface Level {
  Component: ComponentType;
  ErrorBoundary: ComponentType<ErrorBoundaryProps> | undefined;
  data: unknown;
  /** Ends the response that its data come from, if the client has requested them. */
  source?: AbortController | undefined;
}

/** A page with its modules and its data. */
export interface LoadedPage {
  page: SitePage;
  params: Record<string, string>;
  /** Its layouts, the outermost first, and then the page itself. */
  levels: readonly Level[];
  /** The result of its action, if this is the answer to a form. */
  actionData?: unknown;
  /** Ends the response to the form. Absent for a page that the client has not sent one to. */
  actionSource?: AbortController | undefined;
  /** The level that has failed, or whose loader has. The nearest `ErrorBoundary` at or above it is shown. */
  failure?: { level: number; error: unknown } | undefined;
  /** The path and query for which the server has rendered it, if it has. */
  renderedAt?: string | undefined;
}

/** The modules of a page: its layouts', the outermost first, and then its own. */
export async function loadModules({ load, layouts }: SitePage): Promise<(LayoutModule | PageModule)[]> {
  return Promise.all([...layouts, { load }].map((part) => part.load()));
}

/** A page whose modules have been loaded. */
export function toLevels(modules: readonly (LayoutModule | PageModule)[], data: readonly unknown[]): Level[] {
  return modules.map(({ default: Component, ErrorBoundary }, index) => ({
    Component,
    ErrorBoundary,
    data: data[index],
  }));
}

/** The outermost level with data: it cannot be shown without them. */
export function findData(data: readonly unknown[]): number {
  return Math.max(
    0,
    data.findIndex((one) => one !== undefined),
  );
}

/** The level whose `ErrorBoundary` is shown for a failure at this level: -1 when there is none. */
export function findBoundary(levels: readonly Pick<Level, 'ErrorBoundary'>[], failed: number): number {
  return levels.findLastIndex(({ ErrorBoundary }, index) => index <= failed && ErrorBoundary !== undefined);
}
