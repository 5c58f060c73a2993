interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Makes a function of one thing from one of many: what comes while a batch is under way is the next batch. Nothing waits for a timer, and a
 * database that is slow gets fewer and larger batches.
 */
export function inBatches<Item, Result>(run: (items: Item[]) => Promise<Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  const runAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const result = await run(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve(result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // In a moment: jobs that end together are stored together.
      if (!isRunning) void Promise.resolve().then(() => (isRunning ? undefined : runAll()));
    });
}
