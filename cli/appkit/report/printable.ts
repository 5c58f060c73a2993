/**
 * Text of a client, such as in an error's message, without what a terminal would obey: an escape sequence can hide lines or change the
 * clipboard. Colours and line breaks stay.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(CONTROL, (found) => (KEPT.test(found) ? found : toEscape(found)));
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /\u001B\[[\d;]*m|\r\n|\p{Cc}/gu;
const KEPT = /m$|[\n\t]$/;

function toEscape(character: string): string {
  return String.raw`\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
