import type { RequestContextStore } from './host-types.ts';

/**
 * The platform's `waitUntil` for the request that is being answered, or `undefined` where there is none, as in versions of
 * `@vercel/node` before it.
 */
export function platformWaitUntil(): ((promise: Promise<unknown>) => void) | undefined {
  // The platform put it there: nothing else says its type.
  const store = (globalThis as Record<symbol, RequestContextStore | undefined>)[Symbol.for('@vercel/request-context')];
  const context = store?.get?.();
  return context?.waitUntil && ((promise) => context.waitUntil?.(promise));
}
