import type { RequestContextStore, VercelRequestContext } from './host-types.ts';

/** What the platform tells of the request that is being answered, or `undefined`, as in versions of `@vercel/node` before it. */
export function platformContext(): VercelRequestContext | undefined {
  // The platform put it there: nothing else says its type.
  const store = (globalThis as Record<symbol, RequestContextStore | undefined>)[Symbol.for('@vercel/request-context')];
  return store?.get?.();
}

/** The platform's `waitUntil` for that request, where there is one. */
export function platformWaitUntil(): ((promise: Promise<unknown>) => void) | undefined {
  const context = platformContext();
  return context?.waitUntil && ((promise) => context.waitUntil?.(promise));
}
