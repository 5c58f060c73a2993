/**
 * Has every promise in the data of a loader listened to. One that rejects before it is sent, or is never sent since another loader
 * redirects, would end the process.
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

/** What else there is cannot be sent, and may do something when it is looked at. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
