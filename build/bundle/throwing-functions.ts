// Functions of the language that the bundler treats as pure, although they throw (rolldown 1.2.19, oxc). From
//   try { decodeURIComponent(text); return true; } catch { return false; }
// it would keep only `return true`.
const NAMES = ['decodeURIComponent', 'decodeURI', 'encodeURIComponent', 'encodeURI', 'String'];

/** For the option `transform.define`: a call written as a property of globalThis is kept. */
export const throwingFunctions: Record<string, string> = Object.fromEntries(
  NAMES.map((name) => [name, `globalThis.${name}`]),
);
