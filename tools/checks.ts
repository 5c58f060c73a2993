/** Checks that run one after the other, each printed as it ends. */
export interface Checks {
  /** Runs a check, which fails by throwing. Returns the check's result, or undefined when it failed. */
  run<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Prints how many checks passed and failed, and returns the exit code of the process. */
  report(): number;
}

/** Starts counting checks. */
export function startChecks(): Checks {
  let passed = 0;
  let failed = 0;
  return {
    async run(name, work) {
      try {
        const result = await work();
        passed++;
        console.log(`ok   ${name}`);
        return result;
      } catch (error) {
        failed++;
        console.log(`FAIL ${name}\n${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      }
    },
    report() {
      console.log(`${passed} passed, ${failed} failed`);
      return failed === 0 ? 0 : 1;
    },
  };
}
