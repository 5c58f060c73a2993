/** The modules that are loaded once something is kept. */
export { createForecast } from './forecast.ts';
export { createMemoryStore } from './memory-store.ts';
export { createSharedCache } from './shared-cache.ts';
export { toStoreOfRelease } from './store-of-release.ts';
export { tellOnce } from './tell-once.ts';
