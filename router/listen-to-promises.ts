/**
 * Attaches a handler to every promise in a loader's data. A promise that rejects before it is sent, or is never sent
 * because another loader redirects, would end the process.
 */
export function listenToPromises(data: unknown): void {
  const seen = new Set<unknown>();
  const waiting = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isPromise(value)) value.then(listenToPromises, () => undefined);
    else if (value instanceof Map) waiting.push(...value.keys(), ...value.values());
    else if (value instanceof Set) waiting.push(...value);
    else if (Array.isArray(value) || isPlain(value)) waiting.push(...Object.values(value));
  }
}

function isPromise(value: object): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown }).then === 'function';
}

/** Other values cannot be sent, and reading them may have effects. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
