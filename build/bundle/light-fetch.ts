// Half of a small exchange on node:http is the construction of native Requests and Responses. The adapters of Node-shaped
// hosts have light classes for them (appkit-server, adapters/_light/light-fetch.ts), and a bundle is where code can be given
// these without anybody replacing a global.

const BINDING = '__appkitFetch';
const NAMES = ['Request', 'Response', 'fetch'];

/** For the option `transform.define`: what the code of an app means by Request, Response and fetch is read from the binding. */
export const lightFetch: Record<string, string> = Object.fromEntries(
  NAMES.flatMap((name) => [name, `globalThis.${name}`, `global.${name}`].map((form) => [form, `${BINDING}.${name}`])),
);

/**
 * The line that a file needs at its top for the binding: what the adapter has registered, on every other host the globals. Each file has
 * its own, since one that files share would be read through a getter, at twice the cost.
 */
export function toFetchLine(code: string): string {
  if (!code.includes(BINDING)) return '';
  // A directive counts at the top of a file.
  const directive = /^(["'])use strict\1/.test(code) ? '"use strict";' : '';
  return `${directive}const ${BINDING}=globalThis[Symbol.for("appkit.fetch")]??globalThis;\n`;
}
