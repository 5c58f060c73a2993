/**
 * Runs the program of an npm script, which gives the exit code of the process. What it throws is told in
 * one line, and where the options are listed: most often it is a mistake in how it was called.
 */
export async function runMain(script: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${(error as Error).message}\nThe options are listed by: ${script} -- --help`);
    process.exitCode = 1;
  }
}
