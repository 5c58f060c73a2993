/** Parses a JSON file of the user. As npm and TypeScript do, it ignores the byte order mark that some editors on Windows write. */
export function parseJson(text: string): unknown {
  return JSON.parse(withoutMark(text));
}

/** The text without a byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
