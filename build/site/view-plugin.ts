import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Plugin } from 'vite';

import { stripServerExports } from '../secrets/strip-server-exports.ts';

const MARK = '?appkit-view';

/** The import of a page or a layout without its loader and its action. It ends as the file does, by which plugins of the app choose. */
export function toViewImport(file: string): string {
  return `${file}${MARK}&lang${path.extname(file)}`;
}

/**
 * Loads a page or a layout for rendering alone: without its server exports and what only they need. While its loader
 * runs in the runtime of a host, Node may not have what that uses, such as `bun:sqlite`.
 */
export function createViewPlugin(projectRoot: string): Plugin {
  return {
    name: 'appkit:view',
    enforce: 'pre',
    load: {
      order: 'pre',
      filter: { id: /\?appkit-view&lang\.\w+$/ },
      async handler(id) {
        const file = id.slice(0, id.lastIndexOf(MARK));
        const source = await readFile(file, 'utf8');
        return stripServerExports(source, { file, projectRoot })?.code ?? source;
      },
    },
  };
}
