import type { Kept } from './kept-answer.ts';

/** The state of invalidation when an answer was begun. Only the store reads it. */
export type Mark = unknown;

/** Where answers are kept. A method that knows its result at once returns it without a promise. */
export interface CacheStore {
  /** Called before an answer is made, so that {@link CacheStore.set} knows what has been invalidated since. */
  begin(): Mark | Promise<Mark>;
  /** Called when an answer has been made but is not kept. */
  end(mark: Mark): void;
  get(key: string): Kept | undefined | Promise<Kept | undefined>;
  /**
   * Keeps something until a time, unless one of its tags has been invalidated since the mark was made.
   *
   * @param untilMs – in milliseconds since 1970.
   * @returns whether none of them was.
   */
  set(key: string, kept: Kept, how: { mark: Mark; untilMs: number }): boolean | Promise<boolean>;
  /** Forgets every answer with one of the tags. */
  invalidate(tags: readonly string[]): void | Promise<void>;
  /**
   * Lets only one instance make the answer under a key, if there are several.
   *
   * @returns a function that ends this, or `false` when another instance makes the answer.
   */
  lock?(key: string): Promise<(() => Promise<void>) | false>;
  /** Resolves when the instance that makes the answer under a key has done so, or has given up. */
  waitFor?(key: string): Promise<void>;
}
