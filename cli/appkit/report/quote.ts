/** Characters without a special meaning in any shell. A path that begins with a dash would be an option. */
const PLAIN = /^[\w/.][\w/.:@%+=-]*$/;

/** Quotes an argument for copying it into a shell: a POSIX shell, or on Windows the shells there. */
export function quoteForShell(
  argument: string,
  { platform = process.platform }: { platform?: NodeJS.Platform } = {},
): string {
  const path = argument.startsWith('-') ? `./${argument}` : argument;
  if (platform === 'win32') return /^[\w/.:\\-]+$/.test(path) ? path : `"${path}"`;
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
