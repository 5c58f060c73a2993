/**
 * Escapes a text that a value follows in a line of the console. The text is a format there (Console Standard, section
 * 2.2.1): the `%d` of `/%d0%b4` would take the place of the error that follows.
 */
export function toLogText(text: string): string {
  return text.replaceAll('%', '%%');
}
