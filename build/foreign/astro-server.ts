import { createApp } from 'astro/app/entrypoint';

/** What an adapter of appkit-server calls a `fetch` with, as far as Astro asks for it. */
export interface AstroContext {
  clientAddress?: string | undefined;
  platform?: unknown;
  waitUntil(promise: Promise<unknown>): void;
}

const app = createApp();

/** Answers a request by an Astro site. It is the server entry of the adapter, which Astro bundles with the site. */
export function fetch(request: Request, { clientAddress, platform, waitUntil }: AstroContext): Promise<Response> {
  return app.render(request, { clientAddress, waitUntil, locals: { platform }, addCookieHeader: true });
}
