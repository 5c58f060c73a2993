import type { Plugin } from 'rolldown';

// The bundler's runtime (rolldown 1) runs each module once. It rethrows the first error of an ES module for as long as
// the process lives. The second importer of a CommonJS module that threw gets what that module had exported by then.
// The next request must run a module that threw again: a database may be up by then. Only the heads of functions are
// compared: the project's Vite may have a different rolldown.
const REPLACED: readonly [from: RegExp, to: string][] = [
  [
    /^export var __esmMin = \(fn, res\b[^]*?(?=^export var )/m,
    `export var __esmMin = (fn, res, run) => () => {
  if (!fn) return res;
  run = fn;
  fn = 0;
  try {
    return (res = run());
  } catch (e) {
    fn = run;
    throw e;
  }
};
`,
  ],
  [
    /^export var __commonJSMin = \(cb, mod\b[^]*?(?=^export var )/m,
    `export var __commonJSMin = (cb, mod) => () => {
  if (!mod) {
    mod = { exports: {} };
    try {
      cb(mod.exports, mod, mod.exports);
      cb = null;
    } catch (e) {
      mod = null;
      throw e;
    }
  }
  return mod.exports;
};
`,
  ],
  // Without the option `symbols`, files do not say that their exports are a module, which nothing reads. But the object
  // of `import * as` does: code may print it, or ask what it is. The latter form is that of rolldown 1.3.
  [/^ {2}if \((?:!no_symbols|!\(flags & 1\))\) \{/m, '  {'],
];

/**
 * Makes the bundler's runtime run a module that threw again on its next import, and mark the objects of `import * as`
 * as modules.
 *
 * @param options – `onUnknown` is called when the bundler has a different runtime, which then stays as it is. Default:
 *   the export fails.
 */
export function createRuntimePlugin({ onUnknown = refuse }: { onUnknown?: () => void } = {}): Plugin {
  return {
    name: 'appkit:runtime',
    transform: {
      filter: { id: /^\0?rolldown[/\\]runtime\.js$/ },
      handler(code) {
        let changed = code;
        for (const [from, to] of REPLACED) {
          if (!from.test(changed)) return void onUnknown();
          changed = changed.replace(from, () => to);
        }
        return { code: changed, map: null };
      },
    },
  };
}

function refuse(): never {
  throw new Error('appkit-build does not know the runtime of this rolldown. Install the version it depends on.');
}
