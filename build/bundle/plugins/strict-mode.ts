import path from 'node:path';

import type { CodeSplittingGroup, OutputChunk, Plugin } from 'rolldown';

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

/** Finds out what mode each module is in, and makes the bundler keep it. One per output. */
export function createStrictMode(): StrictMode {
  const sloppy = new Set<string>();
  const strict = new Set<string>();
  const entries = new Set<string>();
  const isStrict: StrictMode['isStrict'] = ({ moduleIds }) => !moduleIds.some((id) => sloppy.has(id));
  return {
    isStrict,
    // An entry in sloppy mode stays where it is: the bundler gives no way to move one.
    groups: [{ name: SLOPPY, test: (id) => sloppy.has(id) && !entries.has(id), entriesAware: true }],
    plugin: {
      name: 'appkit:strict-mode',
      buildEnd() {
        for (const id of this.getModuleIds()) {
          const info = this.getModuleInfo(id);
          if (!info || info.inputFormat === 'es' || !path.isAbsolute(id) || !info.code) continue;
          (DIRECTIVE.test(info.code) ? strict : sloppy).add(id);
          if (info.isEntry) entries.add(id);
        }
      },
      renderChunk(code, { moduleIds, modules }) {
        if (isStrict({ moduleIds })) return null;
        let changed = code;
        for (const id of moduleIds) {
          const own = strict.has(id) ? modules[id]?.code : undefined;
          // At the end of a line, where it moves nothing.
          if (own) changed = changed.replace(own, () => own.replace(WRAPPER, '$&"use strict";'));
        }
        return { code: changed, map: null };
      },
    },
  };
}
