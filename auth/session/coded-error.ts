/** The caller's mistake, with a stable `code`. */
export function codedTypeError(code: string, message: string): TypeError & { code: string } {
  return Object.assign(new TypeError(message), { code });
}
