const KEY = Symbol.for('attack.counts');

/** How often each task ran. Shared by every route file, each of which has its own copy of this module. */
export function counts(): Map<string, number> {
  const store = globalThis as { [KEY]?: Map<string, number> };
  return (store[KEY] ??= new Map());
}
