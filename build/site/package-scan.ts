import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';
import type { Plugin, Rolldown } from 'vite';

import { loadApp } from '../app/load-app.ts';
import { planExport } from '../app/plan-export.ts';
import { stripServerExports } from '../secrets/strip-server-exports.ts';
import { toPageTest } from './client-plugins.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const INSTALLED = /[\\/]node_modules[\\/]/;

/**
 * Lets a development server find the packages of all pages when it starts. Vite would find those of a page when a
 * browser first opens it: it then bundles them again together with the others, and until the document has loaded again,
 * there are two copies of React. The packages of loaders and actions are not bundled.
 */
export function createPackageScanPlugin(projectRoot: string): Plugin {
  return {
    name: 'appkit:package-scan',
    async config({ optimizeDeps }) {
      const site = optimizeDeps?.noDiscovery ? undefined : await findSite(projectRoot);
      if (!site) return undefined;
      const files = [...site.pages, ...site.notFound].flatMap(({ file, layouts }) => [file, ...layouts]);
      const entries = [...new Set([...files, ...(site.html === undefined ? [] : [site.html])])].map(escapeGlob);
      const isPage = toPageTest(site, projectRoot);
      return {
        // By default, it leaves out each folder of the name dist, wherever it is.
        build: { outDir: path.join(projectRoot, 'dist') },
        optimizeDeps: { entries, rolldownOptions: { plugins: [forPages(isPage, projectRoot), BROKEN] } },
      };
    },
  };
}

/** Reads pages without what only the server needs. One that cannot be parsed has no packages, and the others keep theirs. */
function forPages(isPage: (file: string) => boolean, projectRoot: string): Rolldown.Plugin {
  return {
    name: 'appkit:package-scan',
    load: {
      filter: { id: { include: SOURCE, exclude: INSTALLED } },
      handler(file) {
        const source = readFileSync(file, 'utf8');
        if (parseSync(file, source).errors.length > 0) return 'export {};';
        return isPage(file) ? stripServerExports(source, { file, projectRoot })?.code : undefined;
      },
    },
  };
}

/**
 * Leaves what a package imports and nobody can find to the browser that opens its page. Otherwise Vite could bundle no
 * package at all, and every page would wait for it.
 */
const BROKEN: Rolldown.Plugin = {
  name: 'appkit:broken-packages',
  resolveId: {
    order: 'post',
    async handler(id, importer, options) {
      if (importer === undefined || !INSTALLED.test(importer)) return undefined;
      return (await this.resolve(id, importer, { ...options, skipSelf: true })) ?? { id, external: true };
    },
  },
  load: {
    filter: { id: { include: [/[\\/]node_modules[\\/].*\.[cm]?js$/] } },
    handler(file) {
      const [error] = parseSync(file, readFileSync(file, 'utf8'), { lang: 'jsx' }).errors;
      return error && `throw new SyntaxError(${JSON.stringify(`${file}: ${error.message}`)});`;
    },
  },
};

/** The pages of an app. Whatever is wrong with it is reported when it is described. */
async function findSite(projectRoot: string): Promise<ReturnType<typeof planExport>['site']> {
  try {
    return planExport(await loadApp(projectRoot), { ssg: true }).site;
  } catch {
    return undefined;
  }
}

/** The glob that matches one file: `app/books/[id].tsx` is also the form of a pattern. */
function escapeGlob(file: string): string {
  return file
    .split(path.sep)
    .join('/')
    .replaceAll(/[!()*+?@[\]{|}]/g, String.raw`\$&`);
}
