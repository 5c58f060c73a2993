import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Text for standard output, coloured when that is a terminal and `NO_COLOR` is not set. */
export function onStdout(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Text for standard error, coloured when that is a terminal and `NO_COLOR` is not set. */
export function onStderr(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stderr });
}
