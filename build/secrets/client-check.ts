import type { Plugin } from 'vite';

import { isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';

/** What a plugin is given that keeps the server out of the client. */
export interface ClientCheck {
  projectRoot: string;
  /** Tells a page or a layout by its absolute path. */
  isPage: (file: string) => boolean;
  /** If there is a problem, the build must not be used. */
  report: (problem: Problem) => void;
}

/** The place of a plugin that keeps the server out of the client: before others, and not in the server's bundle. */
export const inClient: Required<Pick<Plugin, 'enforce' | 'applyToEnvironment'>> = {
  enforce: 'pre',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
};

/**
 * Makes a plugin that looks at the modules of the app in the client. It sees the source as its author knows it, without what pages
 * export for the server.
 */
export function createSourcePlugin(
  name: string,
  {
    filter,
    check,
  }: {
    filter: { id?: RegExp; code: RegExp };
    /** Looks at a module. `isDevelopment`: an error that is thrown fails its import in the browser. */
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
