/** Quotes an argument for a POSIX shell: in single quotes, no character has a special meaning. */
export function quoteForShell(argument: string): string {
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
