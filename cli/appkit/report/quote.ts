/** Characters that mean nothing but themselves to any shell. A path that begins with a dash would be an option. */
const PLAIN = /^[\w/.][\w/.:@%+=-]*$/;

/** Writes an argument so that whoever copies it into a shell gives exactly that: one of POSIX, or on Windows those it has. */
export function quoteForShell(
  argument: string,
  { platform = process.platform }: { platform?: NodeJS.Platform } = {},
): string {
  const path = argument.startsWith('-') ? `./${argument}` : argument;
  if (platform === 'win32') return /^[\w/.:\\-]+$/.test(path) ? path : `"${path}"`;
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
