import { createApp } from 'astro/app/entrypoint';

/** The arguments with which an adapter of appkit-server calls `fetch`, as far as Astro needs them. */
export interface AstroContext {
  clientAddress?: string | undefined;
  platform?: unknown;
  waitUntil(promise: Promise<unknown>): void;
}

const app = createApp();

/** Answers a request with an Astro site. It is the adapter's server entry, which Astro bundles with the site. */
export function fetch(request: Request, { clientAddress, platform, waitUntil }: AstroContext): Promise<Response> {
  return app.render(request, { clientAddress, waitUntil, locals: { platform }, addCookieHeader: true });
}
