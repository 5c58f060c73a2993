/** Finds the getter of a member: on the object, on its class, or on a parent class. */
export function findGetter(object: object, name: string): () => unknown {
  for (let holder: object | null = object; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    const get = Object.getOwnPropertyDescriptor(holder, name)?.get;
    if (get) return get as () => unknown;
  }
  throw new TypeError(
    `${Object.prototype.toString.call(object)} has no ${name}. Give the handler a Request, and return a Response.`,
  );
}
