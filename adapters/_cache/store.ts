import type { Kept } from './kept-answer.ts';

/** Where invalidation stood when an answer began to be made. It is the store's own. */
export type Mark = unknown;

/** Where kept answers are. What can be told at once is, without a promise. */
export interface CacheStore {
  /** Called before an answer is made, so that {@link CacheStore.set} knows what was invalidated since. */
  begin(): Mark | Promise<Mark>;
  /** Called when an answer has been made that is not kept. */
  end(mark: Mark): void;
  get(key: string): Kept | undefined | Promise<Kept | undefined>;
  /**
   * Keeps something until a time, unless one of its tags has been invalidated since the mark was made.
   *
   * @param untilMs – in milliseconds since 1970.
   * @returns whether none of them was.
   */
  set(key: string, kept: Kept, how: { mark: Mark; untilMs: number }): boolean | Promise<boolean>;
  /** Forgets all that has one of the tags. */
  invalidate(tags: readonly string[]): void | Promise<void>;
  /**
   * Has the answer under a key made by one instance alone, where there are several.
   *
   * @returns what ends that, or `false` when another instance makes it.
   */
  lock?(key: string): Promise<(() => Promise<void>) | false>;
  /** Resolves when the instance that makes the answer under a key has done so, or has given up. */
  waitFor?(key: string): Promise<void>;
}
