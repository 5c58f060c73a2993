export function greet(name) {
  return `Hello, ${name}`;
}

let counted = 0;

/** One more with each call. */
export function count() {
  return ++counted;
}
