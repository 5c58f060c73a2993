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
   * Stores a value until a time, unless one of its tags has been invalidated since the mark was made.
   *
   * @param untilMs – in milliseconds since 1970.
   * @returns `true` if none of them was.
   */
  set(key: string, kept: Kept, how: { mark: Mark; untilMs: number }): boolean | Promise<boolean>;
  /** Deletes every answer that has one of the tags. */
  invalidate(tags: readonly string[]): void | Promise<void>;
  /**
   * If there are several instances, lets only one make the answer under a key.
   *
   * @returns a function that releases this lock, or `false` when another instance is making the answer.
   */
  lock?(key: string): Promise<(() => Promise<void>) | false>;
  /** Resolves when the instance that is making the answer under a key has finished or given up. */
  waitFor?(key: string): Promise<void>;
}
