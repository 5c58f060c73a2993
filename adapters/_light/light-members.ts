/** A class of the platform. */
interface NativeClass {
  name: string;
  prototype: object;
  [Symbol.hasInstance](value: unknown): boolean;
}

/**
 * Completes a light class: members that it does not have, including those of a later Node, are answered by the native object that `toNative`
 * returns. Its objects become instances of the native class, and the native class's objects instances of it.
 *
 * @param host – the prototype of the class that `toNative` returns, if it has its own methods.
 */
export function forwardMembers(
  light: NativeClass,
  native: NativeClass,
  toNative: (light: object) => object,
  host: object = native.prototype,
): void {
  for (const key of Reflect.ownKeys(native.prototype)) {
    const holder = Object.hasOwn(host, key) ? host : native.prototype;
    // One of its own keys.
    const member = Object.getOwnPropertyDescriptor(holder, key) as PropertyDescriptor & { enumerable: boolean };
    const own = Object.getOwnPropertyDescriptor(light.prototype, key);
    // Members of a class in JavaScript code are not enumerable, those of the platform are.
    const { enumerable } = member;
    Object.defineProperty(light.prototype, key, own ? { ...own, enumerable } : forward(member, toNative));
  }
  Object.defineProperty(light, 'name', { value: native.name });
  Object.setPrototypeOf(light.prototype, native.prototype);
  Object.setPrototypeOf(light, native);
  Object.defineProperty(light, Symbol.hasInstance, {
    // An object of a user's subclass is recognised by its own prototype.
    value(this: NativeClass, value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(this === light ? native : this, value);
    },
  });
}

function forward(member: PropertyDescriptor, toNative: (light: object) => object): PropertyDescriptor {
  const { value, get } = member;
  if (typeof value === 'function') {
    const method = function (this: object, ...args: unknown[]): unknown {
      return Reflect.apply(value, toNative(this), args);
    };
    const { name, length } = value as { name: string; length: number };
    return { ...member, value: Object.defineProperties(method, { name: { value: name }, length: { value: length } }) };
  }
  if (!get) return member;
  const getter = function (this: object): unknown {
    return Reflect.apply(get, toNative(this), []);
  };
  return { ...member, get: Object.defineProperty(getter, 'name', { value: get.name }) };
}

/** Copies the entries of `from`, which user code may have changed since, to `into`. */
export function replaceHeaders(into: Headers, from: Headers): void {
  const entries = [...from];
  // Setting them takes longer and loses the letter case of the names.
  if (JSON.stringify(entries) === JSON.stringify([...into])) return;
  for (const name of Array.from(into.keys())) into.delete(name);
  for (const [name, value] of entries) into.append(name, value);
}

/** Whether a value can have private fields. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
