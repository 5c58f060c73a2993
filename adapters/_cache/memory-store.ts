import type { Kept } from './kept-answer.ts';
import type { CacheStore, Mark } from './store.ts';

/** Roughly how many bytes an entry takes in addition to its texts and body. */
const OVERHEAD_BYTES = 400;

interface Entry {
  kept: Kept;
  bytes: number;
  untilMs: number;
}

/** The tags that have been invalidated while an answer was being made. */
type Flight = Set<string>;

/** Keeps the most recently used answers in this process, up to a number of bytes. */
export function createMemoryStore(maxBytes: number): CacheStore {
  // A Map lists its keys in the order in which they were added. A used entry is added again, so the first is the oldest.
  const entries = new Map<string, Entry>();
  const keysOf = new Map<string, Set<string>>();
  const flights = new Set<Flight>();
  let bytes = 0;

  const remove = (key: string, entry: Entry): void => {
    entries.delete(key);
    bytes -= entry.bytes;
    for (const tag of entry.kept.tags) {
      const keys = keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(tag);
    }
  };
  const removeKey = (key: string): void => {
    const entry = entries.get(key);
    if (entry) remove(key, entry);
  };

  return {
    begin() {
      const flight: Flight = new Set();
      flights.add(flight);
      return flight;
    },
    end: (mark: Mark) => void flights.delete(mark as Flight), // begin() has made it
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry.untilMs <= Date.now()) {
        remove(key, entry);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry.kept;
    },
    set(key, kept, { mark, untilMs }) {
      const flight = mark as Flight; // begin() has made it
      if (kept.tags.some((tag) => flight.has(tag))) return false;
      const entry = { kept: withOwnBody(kept), untilMs, bytes: sizeOf(key, kept) };
      removeKey(key);
      // An entry that fills the store on its own would evict all others.
      if (entry.bytes > maxBytes / 4) return true;
      entries.set(key, entry);
      bytes += entry.bytes;
      for (const tag of kept.tags) keysOf.set(tag, (keysOf.get(tag) ?? new Set()).add(key));
      for (const [oldKey, old] of entries) {
        if (bytes <= maxBytes) break;
        remove(oldKey, old);
      }
      return true;
    },
    invalidate(tags) {
      for (const flight of flights) for (const tag of tags) flight.add(tag);
      for (const tag of tags) for (const key of keysOf.get(tag) ?? []) removeKey(key);
    },
  };
}

/** A part of a larger buffer, such as that of a decompressor, would keep all of it in memory, which nothing counts. */
function withOwnBody(kept: Kept): Kept {
  if (!('body' in kept) || kept.body.byteLength === kept.body.buffer.byteLength) return kept;
  return { ...kept, body: new Uint8Array(kept.body) };
}

function sizeOf(key: string, kept: Kept): number {
  const texts = [key, ...kept.tags, ...('body' in kept ? kept.headers.flat() : kept.vary)];
  const body = 'body' in kept ? kept.body.byteLength : 0;
  return OVERHEAD_BYTES + body + texts.reduce((sum, text) => sum + text.length, 0);
}
