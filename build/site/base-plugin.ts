import type { Plugin } from 'vite';

import { ExportError } from '../problem.ts';

/**
 * Sets Vite's base from the app config.
 *
 * @param base – the path that the app is below. Absent at the root of its host.
 */
export function createBasePlugin(base: string | undefined): Plugin {
  const own = `${base ?? ''}/`;
  return {
    name: 'appkit:base',
    config(config) {
      const asked = config.base;
      // Only assets would follow it: not pages, routes and links.
      if (asked !== undefined && asked !== own) {
        const message = `It sets base to ${JSON.stringify(asked)}, but the app is at ${own}.`;
        throw new ExportError([
          { file: 'vite.config', message, fix: 'Leave base out, and set web.base in the app config.' },
        ]);
      }
      return { base: own };
    },
  };
}
