/**
 * Runs the main function of an npm script, which returns the exit code of the process. Errors are printed in one line,
 * with a hint where the options are listed: most often the script was called with wrong options.
 */
export async function runMain(script: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${(error as Error).message}\nThe options are listed by: ${script} -- --help`);
    process.exitCode = 1;
  }
}
