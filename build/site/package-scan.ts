import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Plugin, Rolldown } from 'vite';

import { loadApp } from '../app/load-app.ts';
import { planExport } from '../app/plan-export.ts';
import { stripServerExports } from '../secrets/strip-server-exports.ts';
import { toPageTest } from './client-plugins.ts';

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
      const isPage = toPageTest(site, projectRoot);
      const withoutServer: Rolldown.Plugin = {
        name: 'appkit:package-scan',
        load: {
          filter: { id: { include: /\.[cm]?[jt]sx?$/, exclude: /[\\/]node_modules[\\/]/ } },
          handler: (id) =>
            isPage(id) ? stripServerExports(readFileSync(id, 'utf8'), { file: id, projectRoot })?.code : undefined,
        },
      };
      const files = [...site.pages, ...site.notFound].flatMap(({ file, layouts }) => [file, ...layouts]);
      const entries = [...new Set([...files, ...(site.html === undefined ? [] : [site.html])])].map(escapeGlob);
      return { optimizeDeps: { entries, rolldownOptions: { plugins: [withoutServer] } } };
    },
  };
}

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
