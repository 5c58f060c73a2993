/** Creates a function that runs tasks, at most this many at the same time: the others wait for their turn. */
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
