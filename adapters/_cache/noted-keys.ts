/** How many URLs are noted at most. */
const LIMIT = 10_000;

/** What the last answers of URLs were like, those that were made last. */
export class NotedKeys {
  readonly #notes = new Map<string, readonly string[] | false>();

  /**
   * What is known of a URL: the names in the `Vary` of its last answer, `false` when that was not for others, `undefined` when nothing is
   * known.
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
