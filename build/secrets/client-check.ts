import type { Plugin } from 'vite';

import { isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';

/** The options of a plugin that keeps server code out of the client. */
export interface ClientCheck {
  projectRoot: string;
  /** Whether an absolute path is a page or a layout. */
  isPage: (file: string) => boolean;
  /** Called with each problem. After one, the build must not be used. */
  report: (problem: Problem) => void;
}

/** The place of a plugin that keeps server code out of the client: before others, and not in the server's bundle. */
export const inClient: Required<Pick<Plugin, 'enforce' | 'applyToEnvironment'>> = {
  enforce: 'pre',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
};

/**
 * Makes a plugin that checks the app's modules in the client. It sees the original source, which still contains the
 * pages' server exports.
 */
export function createSourcePlugin(
  name: string,
  {
    filter,
    check,
  }: {
    filter: { id?: RegExp; code: RegExp };
    /** Checks a module. `isDevelopment`: an error that is thrown fails its import in the browser. */
    check: (code: string, id: string, options: { isDevelopment: boolean }) => void;
  },
): Plugin {
  return {
    name,
    ...inClient,
    transform: {
      order: 'pre',
      filter,
      handler(code, id) {
        if (!isInstalled(id)) check(code, id, { isDevelopment: this.environment.mode === 'dev' });
      },
    },
  };
}
