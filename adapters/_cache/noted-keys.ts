import { createHash } from 'node:crypto';

/** The largest number of URLs with a note. */
const LIMIT = 10_000;
/** The longest URL, in characters, that is stored unhashed. */
const LONGEST = 64;

/** Notes about the last answer of each URL, for the URLs answered most recently. */
export class NotedKeys {
  readonly #notes = new Map<string, readonly string[] | false>();

  /**
   * What is known about a URL: the names in the `Vary` of its last answer; `false` if that answer was not for others;
   * `undefined` if nothing is known.
   */
  get(url: string): readonly string[] | false | undefined {
    return this.#notes.get(toShort(url));
  }

  note(url: string, vary: readonly string[] | false): void {
    const key = toShort(url);
    this.#notes.delete(key);
    this.#notes.set(key, vary);
    if (this.#notes.size <= LIMIT) return;
    for (const oldest of this.#notes.keys()) {
      this.#notes.delete(oldest);
      return;
    }
  }
}

// Visitors choose how long a URL is, and every URL is noted, even if its answer is not kept.
function toShort(url: string): string {
  return url.length > LONGEST ? createHash('sha256').update(url).digest('base64') : url;
}
