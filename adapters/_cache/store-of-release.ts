import type { CacheStore } from './store.ts';

/**
 * A store whose keys belong to one release: its pages name files that another release may not have. Tags are shared by
 * all releases, so that an invalidation reaches the answers of each.
 */
export function toStoreOfRelease(store: CacheStore, release: string | undefined): CacheStore {
  if (release === undefined) return store;
  // A release name contains neither a space nor a line break.
  const own = (key: string): string => `${release} ${key}`;
  const { lock, waitFor } = store;
  return {
    begin: () => store.begin(),
    end: (mark) => store.end(mark),
    get: (key) => store.get(own(key)),
    set: (key, kept, how) => store.set(own(key), kept, how),
    invalidate: (tags) => store.invalidate(tags),
    ...(lock && { lock: (key) => lock.call(store, own(key)) }),
    ...(waitFor && { waitFor: (key) => waitFor.call(store, own(key)) }),
  };
}
