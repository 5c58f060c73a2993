import path from 'node:path';

import type { CodeSplittingGroup, ModuleInfo, OutputChunk, Plugin } from 'rolldown';

// An ES module is always in strict mode, a CommonJS module if it says so at its top. The bundler (rolldown 1.2) puts both
// into one file and drops what they say, so that an assignment to a misspelled variable would make a global, which keeps
// what one visitor sent for the next.

/** Keeps each module in its own mode. */
export interface StrictMode {
  plugin: Plugin;
  /** For the option `codeSplitting`: puts modules in sloppy mode into chunks of their own. */
  groups: CodeSplittingGroup[];
  /** Whether a chunk needs a directive at its top. */
  isStrict(chunk: Pick<OutputChunk, 'moduleIds'>): boolean;
}

/** The name of chunks in sloppy mode, before that of their entries. */
export const SLOPPY = 'sloppy';

/** A directive after comments. */
const DIRECTIVE = /^(?:#!.*)?(?:\s|\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)*(["'])use strict\1\s*(?:;|\n|$)/;
/** The start of the function that the bundler makes of a CommonJS module. */
const WRAPPER = /\(\(\([\w, $]*\) => \{/;

/**
 * Finds out what mode each module is in, and makes the bundler keep it. One per output.
 *
 * @param modules – filled before the bundler asks.
 */
export function createStrictMode(modules: ReadonlyMap<string, ModuleInfo>): StrictMode {
  let found: Modes | undefined;
  const modes = (): Modes => (found ??= findModes(modules));
  // Reading the modules of a chunk takes time: there may be nothing to look for.
  const isStrict: StrictMode['isStrict'] = (chunk) =>
    modes().sloppy.size === 0 || !chunk.moduleIds.some((id) => modes().sloppy.has(id));
  return {
    isStrict,
    // An entry in sloppy mode stays where it is: the bundler gives no way to move one.
    groups: [
      {
        name: SLOPPY,
        test: (id) => modes().sloppy.has(id) && modules.get(id)?.isEntry === false,
        entriesAware: true,
      },
    ],
    plugin: {
      name: 'appkit:strict-mode',
      renderChunk: {
        // Filtered in the bundler itself: it waits for every call, once per chunk.
        filter: { code: WRAPPER },
        handler(code, chunk) {
          if (isStrict(chunk)) return null;
          let changed = code;
          for (const id of chunk.moduleIds) {
            const own = modes().strict.has(id) ? chunk.modules[id]?.code : undefined;
            // At the end of a line, where it moves nothing.
            if (own) changed = changed.replace(own, () => own.replace(WRAPPER, '$&"use strict";'));
          }
          return { code: changed, map: null };
        },
      },
    },
  };
}

/** The CommonJS modules in each mode. */
type Modes = Record<'strict' | 'sloppy', Set<string>>;

function findModes(modules: ReadonlyMap<string, ModuleInfo>): Modes {
  const modes: Modes = { strict: new Set(), sloppy: new Set() };
  for (const [id, info] of modules) {
    if (info.inputFormat === 'es' || !path.isAbsolute(id) || !info.code) continue;
    modes[DIRECTIVE.test(info.code) ? 'strict' : 'sloppy'].add(id);
  }
  return modes;
}
