/**
 * Runs `work` on every item, at most `limit` at a time, and gives the results in the order of the items.
 * The first rejection rejects the whole: no item is begun after it, and those that had begun have ended by then.
 */
export async function runBounded<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  { limit }: { limit: number },
): Promise<R[]> {
  const results: R[] = [];
  // One iterator, shared: each worker takes the next item that nobody has taken.
  const queue = items.entries();
  let failure: { error: unknown } | undefined;
  const workers = Array.from({ length: limit }, async () => {
    for (const [index, item] of queue) {
      if (failure) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  });
  await Promise.all(workers);
  if (failure) throw failure.error;
  return results;
}
