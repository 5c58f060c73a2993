/** Makes a function that runs what it is given, so much at the same time and no more: the rest waits for its turn. */
export function createLimit(most: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      // Its place is passed on.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
