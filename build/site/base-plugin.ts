import type { Plugin } from 'vite';

import { ExportError } from '../problem.ts';

/**
 * Gives Vite the base of the app config.
 *
 * @param base – the path that the app is below. Absent at the root of its host.
 */
export function createBasePlugin(base: string | undefined): Plugin {
  const own = `${base ?? ''}/`;
  return {
    name: 'appkit:base',
    config(config) {
      const asked = config.base;
      // Only assets would follow it: not the pages, the routes and the links.
      if (asked !== undefined && asked !== own) {
        const message = `It sets base to ${JSON.stringify(asked)}, and the app is at ${own}.`;
        throw new ExportError([
          { file: 'vite.config', message, fix: 'Leave base out, and set web.base in the app config.' },
        ]);
      }
      return { base: own };
    },
  };
}
