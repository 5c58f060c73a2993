import type { Site } from './site.ts';
/** The files of the client bundle that a page needs, as URL paths. */
export interface PageAssets {
    /** The module that starts the client. */
    entry: string;
    /** Modules the page will ask for. */
    modules: readonly string[];
    /** Style sheets. */
    styles: readonly string[];
}
/** What is rendered. */
export interface RenderTarget {
    pattern: string;
    /** The page is that of a `+not-found`. Default: `false`. */
    isNotFound?: boolean;
    assets: PageAssets;
    /** Wait until all of it is there, and reject when any part fails. Default: `false`, which streams. */
    isStatic?: boolean;
}
/** Renders a page for a request, or gives its data alone. */
export type Render = (target: RenderTarget, request: Request, params: Record<string, string>) => Promise<Response>;
/** Makes the renderer of a site. */
export declare function createRenderer(site: Site): Render;
/** Renders the document without a page, for every URL of a site that the client renders alone. */
export declare function renderShell(site: Site, assets: PageAssets): Promise<string>;
