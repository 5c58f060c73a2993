/** How often modules that fail have been evaluated, by their names. This one does not fail, and is evaluated once. */
export const attempts = new Map<string, number>();

/** Throws when a module is evaluated for the first time, and for the second. */
export function failTwice(name: string): void {
  const count = (attempts.get(name) ?? 0) + 1;
  attempts.set(name, count);
  if (count < 3) throw new Error(`${name} fails for the ${count}. time`);
}
