import type { ComponentType, ReactNode } from 'react';

/**
 * Everything the router knows of an app: the export and the development server write it as a module, with one
 * literal `import()` per file, so that each page is a chunk of its own.
 */
export interface Site {
  /** The pages. No two have the same pattern, whatever their parameters are called. */
  pages: readonly SitePage[];
  /** The `+not-found` pages. The pattern of each is the folder it lies in. */
  notFound: readonly SitePage[];
  /** Patterns of API routes that may answer in place of a page. They are ranked with the pages. */
  documents: readonly string[];
  /** Patterns of redirects and rewrites that may hold for a page. They come before every page, whatever its rank. */
  rules: readonly string[];
  /** The component of `+html`, else {@link DefaultHtml}. */
  Html: ComponentType<HtmlProps>;
  /** Where the data of a page is when the client goes there: asked of the page's own URL, or in a file beside it. */
  data: 'server' | 'files';
  /** One HTML file serves every URL, so that what fits no page is not found by the client itself. */
  isSinglePage: boolean;
}

/** A page, not loaded yet. */
export interface SitePage {
  /** The URL path, in the grammar of the manifest: `/items/[id]`. */
  pattern: string;
  /** Loads the module of the page. */
  load: () => Promise<PageModule>;
  /** Loads the modules of its layouts, the outermost first. */
  layouts: readonly (() => Promise<LayoutModule>)[];
  /** The page has a loader, which the client's module of it has not. */
  hasLoader: boolean;
}

/** What the file of a page exports. */
export interface PageModule {
  /** The page. */
  default: ComponentType;
  /** Gives the page its data. Only the server has it. */
  loader?: Loader;
  /** Shown in place of the page when it, or its loader, throws. */
  ErrorBoundary?: ComponentType<ErrorBoundaryProps>;
}

/** What a `_layout` file exports. */
export interface LayoutModule {
  /** The layout: it renders `<Slot />` where the page goes. */
  default: ComponentType;
}

/**
 * Gives a page its data, on the server.
 *
 * @param request – for the page, or for its data alone when the client goes there; its URL is that of the page.
 * @param params – the parameters of the path.
 * @returns what `useLoaderData` gives. It must survive JSON.
 */
export type Loader = (request: Request, params: Record<string, string>) => unknown;

/** What the component of `+html` gets. */
export interface HtmlProps {
  /** Goes into `<body>`. */
  children: ReactNode;
}

/** What the `ErrorBoundary` of a page gets. */
export interface ErrorBoundaryProps {
  /** What was thrown. On a page that came from the server, its message may be another in production. */
  error: unknown;
  /** Loads and renders the page once more. */
  retry: () => void;
}

/** A page with its modules and its data. */
export interface LoadedPage {
  page: SitePage;
  module: PageModule;
  layouts: readonly ComponentType[];
  params: Record<string, string>;
  data: unknown;
  /** The path and query for which the server has rendered it, when it did. */
  renderedAt?: string | undefined;
}

/** Loads the modules of a page. */
export async function loadModules(page: SitePage): Promise<Pick<LoadedPage, 'page' | 'module' | 'layouts'>> {
  const [module, layouts] = await Promise.all([page.load(), Promise.all(page.layouts.map((load) => load()))]);
  return { page, module, layouts: layouts.map((layout) => layout.default) };
}
