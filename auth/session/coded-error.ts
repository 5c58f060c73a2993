/** The caller's mistake, with a stable `code`. */
export function codedTypeError(code: string, message: string): TypeError & { code: string } {
  return Object.assign(new TypeError(message), { code });
}

/** Asserts that an option, if given, is a number in its range. */
export function assertNumber(name: string, value: unknown, least: number, most: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least && value <= most)) return;
  throw codedTypeError('ERR_AUTH_ARGUMENT', `${name} is not a number from ${least} to ${most}.`);
}

/** The error for a missing required option. */
export function missing(name: string, where: string, advice = ''): TypeError {
  return codedTypeError('ERR_AUTH_ARGUMENT', `${where} has no ${name}, which is required.${advice}`);
}
