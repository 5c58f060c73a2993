/** The largest number of URLs that are noted. */
const LIMIT = 10_000;

/** Notes about the last answer of each URL, for the URLs answered most recently. */
export class NotedKeys {
  readonly #notes = new Map<string, readonly string[] | false>();

  /**
   * What is known about a URL: the names in the `Vary` of its last answer, `false` if that was not for others, `undefined` if nothing is known.
   */
  get(key: string): readonly string[] | false | undefined {
    return this.#notes.get(key);
  }

  note(key: string, vary: readonly string[] | false): void {
    this.#notes.delete(key);
    this.#notes.set(key, vary);
    if (this.#notes.size <= LIMIT) return;
    for (const oldest of this.#notes.keys()) {
      this.#notes.delete(oldest);
      return;
    }
  }
}
