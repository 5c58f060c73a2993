import type { Plugin } from 'rolldown';

// Half of a small exchange on node:http is the construction of native Requests and Responses. The adapters of Node-shaped
// hosts have light classes for them (appkit-server, adapters/_node/light-fetch.ts), and a bundle is where code can be given
// these without anybody replacing a global.

const MODULE = '\0appkit-light-fetch';
const BINDING = '__appkitFetch';
const NAMES = ['Request', 'Response', 'fetch'];

/** For the option `transform`: what the code of an app means by Request, Response and fetch is read from the binding. */
export const lightFetch: { define: Record<string, string>; inject: Record<string, [string, string]> } = {
  define: Object.fromEntries(
    NAMES.flatMap((name) => [name, `globalThis.${name}`, `global.${name}`].map((form) => [form, `${BINDING}.${name}`])),
  ),
  inject: { [BINDING]: [MODULE, 'bound'] },
};

/** The binding itself: what the adapter has registered, on every other host the globals. */
export function createLightFetchPlugin(): Plugin {
  // With filters the bundler asks for this module only, and not for every one of an app.
  const filter = { id: new RegExp(`^${MODULE}$`) };
  const code = "export const bound = globalThis[Symbol.for('appkit.fetch')] ?? globalThis;";
  return {
    name: 'appkit:light-fetch',
    resolveId: { filter, handler: (id) => id },
    load: { filter, handler: () => code },
  };
}
