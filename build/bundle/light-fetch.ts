// Half of the time of a small exchange on node:http goes into constructing native Requests and Responses. The adapters
// of Node-shaped hosts have light classes for them (appkit-server, adapters/_light/light-fetch.ts), and a bundle is
// where code can be given these without replacing a global.

const BINDING = '__appkitFetch';
/** The directive that makes the code of a file strict. */
const STRICT = '"use strict";';

const NAMES = ['Request', 'Response', 'fetch'];

/** For the option `transform.define`: Request, Response and fetch in app code are read from the binding. */
export const lightFetch: Record<string, string> = Object.fromEntries(
  NAMES.flatMap((name) => [name, `globalThis.${name}`, `global.${name}`].map((form) => [form, `${BINDING}.${name}`])),
);

/**
 * The line that a file needs at its top for the binding: the classes that the adapter has registered, or the globals on
 * every other host. Each file has its own binding: a shared one would be read through a getter, at twice the cost.
 */
export function toFetchLine(code: string, isStrict: boolean = /^(["'])use strict\1/.test(code)): string {
  if (!code.includes(BINDING)) return '';
  // A directive only counts at the top of a file.
  return `${isStrict ? STRICT : ''}const ${BINDING}=globalThis[Symbol.for("appkit.fetch")]??globalThis;\n`;
}

/** The line that a file of the server build needs at its top: the binding, and the directive of strict mode. */
export function toFirstLine(code: string, isStrict: boolean): string {
  return toFetchLine(code, isStrict) || (isStrict ? `${STRICT}\n` : '');
}
