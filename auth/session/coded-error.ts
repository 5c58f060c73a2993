/** The caller's mistake, with a stable `code`. */
export function codedTypeError(code: string, message: string): TypeError & { code: string } {
  return Object.assign(new TypeError(message), { code });
}

/** The caller has left out what is required. */
export function missing(name: string, where: string, advice = ''): TypeError {
  return codedTypeError('ERR_AUTH_ARGUMENT', `${where} has no ${name}, which is required.${advice}`);
}
