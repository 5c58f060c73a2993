import type { RequestContextStore, VercelRequestContext } from './host-types.ts';

/**
 * What the platform knows about the request that is being answered. `undefined` in versions of `@vercel/node` without
 * this.
 */
export function platformContext(): VercelRequestContext | undefined {
  // The platform put this object there; nothing else declares its type.
  const store = (globalThis as Record<symbol, RequestContextStore | undefined>)[Symbol.for('@vercel/request-context')];
  return store?.get?.();
}

/** The platform's `waitUntil` for that request, if it has one. */
export function platformWaitUntil(): ((promise: Promise<unknown>) => void) | undefined {
  const context = platformContext();
  return context?.waitUntil && ((promise) => context.waitUntil?.(promise));
}
