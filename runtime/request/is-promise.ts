/** Whether a value must be awaited: a promise of any realm, or an object that behaves like one. */
export function isPromise(value: unknown): value is Promise<unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof (value as { then?: unknown }).then === 'function';
}
