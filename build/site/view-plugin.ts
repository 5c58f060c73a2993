import { readFile } from 'node:fs/promises';

import type { EnvironmentOptions, Plugin } from 'vite';

import { stripServerExports } from '../secrets/strip-server-exports.ts';

/** The environment of Vite in which pages are rendered whose loaders and actions run elsewhere. */
export const VIEW_ENVIRONMENT = 'view';

/**
 * Loads pages and layouts for rendering alone: without their server exports and what only these need. While a loader
 * runs in the runtime of a host, Node may not have what it uses, such as `bun:sqlite`. In an environment of its own, each
 * of them is one module with its own id, whatever imports it, and no URL of the browser leads to it.
 */
export function createViewPlugin({
  projectRoot,
  isPage,
}: {
  projectRoot: string;
  isPage: (file: string) => boolean;
}): Plugin {
  let ofServer: EnvironmentOptions = {};
  return {
    name: 'appkit:view',
    enforce: 'pre',
    configEnvironment: {
      // After the plugins of the app, which may change that of the server by its name.
      order: 'post',
      handler(name, options) {
        if (name === 'ssr') ofServer = options;
        return name === VIEW_ENVIRONMENT ? ofServer : undefined;
      },
    },
    applyToEnvironment: ({ name }) => name === VIEW_ENVIRONMENT,
    load: {
      order: 'pre',
      filter: { id: { include: /\.[cm]?[jt]sx?$/, exclude: /[\\/]node_modules[\\/]/ } },
      async handler(id) {
        if (!isPage(id)) return null;
        return stripServerExports(await readFile(id, 'utf8'), { file: id, projectRoot })?.code;
      },
    },
  };
}
