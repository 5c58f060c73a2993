const TEXT = String.raw`"(?:\\.|[^"\\])*"`;
const COMMENT = new RegExp(String.raw`${TEXT}|//[^\n]*|/\*[^]*?\*/`, 'g');
const LAST_COMMA = new RegExp(String.raw`${TEXT}|,(?=\s*[}\]])`, 'g');

/** Reads JSON with comments and trailing commas. `undefined` for an invalid text. */
export function parseJsonc(text: string): unknown {
  const keepTexts = (found: string): string => (found.startsWith('"') ? found : '');
  try {
    return JSON.parse(
      text
        .replace(/^\uFEFF/, '')
        .replace(COMMENT, keepTexts)
        .replace(LAST_COMMA, keepTexts),
    );
  } catch {
    return undefined;
  }
}
