/**
 * Runs `work` on every item, at most `limit` at a time, and returns the results in the order of the items. The first
 * rejection rejects everything: no item starts after it, and those that had started have ended by then.
 */
export async function runBounded<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  { limit }: { limit: number },
): Promise<R[]> {
  const results: R[] = [];
  // A single shared iterator: each worker takes the next free item.
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
