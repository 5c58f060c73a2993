/** An object of named values. A name that is repeated has an array of them, in their order. */
export function collectFields(entries: Iterable<[name: string, value: unknown]>): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const before = fields.get(name);
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, fields.has(name) ? [before, value] : value);
  }
  // It defines properties, so that a field named __proto__ is nothing but a field.
  return Object.fromEntries(fields);
}
