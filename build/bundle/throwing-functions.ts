// Functions of the language that the bundler takes for pure, though they throw (rolldown 1.2.19, oxc). Of
//   try { decodeURIComponent(text); return true; } catch { return false; }
// it would leave `return true`.
const NAMES = ['decodeURIComponent', 'decodeURI', 'encodeURIComponent', 'encodeURI', 'String'];

/** For the option `transform.define`: written as a property of globalThis, a call stays. */
export const throwingFunctions: Record<string, string> = Object.fromEntries(
  NAMES.map((name) => [name, `globalThis.${name}`]),
);
