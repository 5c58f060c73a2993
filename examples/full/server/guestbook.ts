/** Who has signed, the latest first. A real app keeps this in a database: a server forgets it, and several do not share it. */
const names: string[] = ['Ada', 'Grace'];

export function readNames(): readonly string[] {
  return names;
}

export function sign(name: string): void {
  names.unshift(name);
}
