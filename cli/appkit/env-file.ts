import { CommandError } from './command-error.ts';

/**
 * Reads environment variables from the file of `--env-file`. Those that are set already win.
 *
 * @throws CommandError when it cannot be read.
 */
export function loadEnvFile(path: string): void {
  try {
    process.loadEnvFile(path);
  } catch (error) {
    throw new CommandError(
      `${path}: cannot read this file of environment variables.`,
      'Correct the path after --env-file.',
      { cause: error },
    );
  }
}
