/** A name, or if it is taken, the name with a number: two patterns may differ only in punctuation. */
export function uniqueName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count++) unique = `${name}${count}`;
  return unique;
}
