import { describeThrown } from '../jobs/describe-thrown.ts';

/**
 * Prints what code has thrown, after a text that says where. Never throws, although the console runs code of the error, such as its own `inspect`, which may
 * fail.
 */
export function printError(text: string, error: unknown): void {
  // The text is a format there (Console Standard, section 2.2.1): the `%d` of `/%d0%b4` would take the place of the error.
  const label = text.replaceAll('%', '%%');
  try {
    console.error(label, error);
  } catch {
    console.error(label, describeThrown(error));
  }
}
