/** Collects named values in an object. A repeated name gets an array of its values, in order. */
export function collectFields(entries: Iterable<[name: string, value: unknown]>): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const before = fields.get(name);
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, fields.has(name) ? [before, value] : value);
  }
  // Properties are defined, so that __proto__ is an ordinary field.
  return Object.fromEntries(fields);
}
