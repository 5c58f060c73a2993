// Each test file begins with what a process of its own would have: the first adapter that offers `Request`, `Response` and `fetch` to bundles stays
// the one that does, see adapters/_light/light-fetch.ts, and another file may have created one before.
Reflect.deleteProperty(globalThis, Symbol.for('appkit.fetch'));
