/** Runs the sources of an app without a server, for `appkit-server/test`. @module */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ExportError } from 'appkit-build/problem';
import { createStaticFiles } from 'appkit-server/static';
import type { AppSources } from 'appkit-server/test';
import { CommandError } from '../command-error.ts';
import { projectRoot as toProjectRoot } from '../commands/project-root.ts';
import { describe, loadFile, nothingYet, toServerBuild } from './app-build.ts';
import { createSite } from './create-site.ts';
import { createVite } from './create-vite.ts';
import { loadVite } from './load-vite.ts';
import { toPublicUrl } from './public-url.ts';
import { createReporter, problemsOf } from './report.ts';
import { createServerModules } from './server-modules.ts';
import type { SitePages } from './site.ts';

/**
 * Reads an app once, as it is now, and runs its modules when they are first needed.
 *
 * @throws CommandError when Vite or the folder is missing; ExportError when the app could not be exported.
 */
export async function loadSources(folder: string): Promise<AppSources> {
  const projectRoot = realpathSync(toProjectRoot(folder));
  const app = await describe(nothingYet(projectRoot));
  const problems = problemsOf(app);
  if (problems.length > 0) throw new ExportError(problems);
  const loaded = await loadVite(projectRoot, 'createTestApp()').catch(withFix);
  const site = app.site && (await createSite(projectRoot, { isTested: true }));
  const vite = await createVite(loaded, {
    projectRoot,
    site,
    findJobs: () => app.jobs,
    reporter: createReporter(projectRoot),
  });
  const modules = createServerModules(loaded, vite.environments.ssr, { sourcemapInterceptor: 'prepareStackTrace' });
  const noPages: SitePages = { manifest: {}, modules: {}, hosted: {} };
  const pages = (await site?.describe({ vite, app, modules })) ?? noPages;
  const load = (file: string): ReturnType<typeof loadFile> => loadFile(app, file, modules);
  const files = createStaticFiles(path.join(projectRoot, 'public'), { live: true });
  return {
    build: toServerBuild(app, { pages, load }),
    answerFile(request) {
      const { pathname, search } = new URL(request.url);
      const url = toPublicUrl(pathname + search, app.config.base);
      return url === undefined ? undefined : files.fetch(new Request(new URL(url, request.url), request));
    },
    load,
    async close() {
      await modules.close();
      await vite.close();
    },
  };
}

/** A test runner shows only the message. */
function withFix(error: unknown): never {
  throw error instanceof CommandError ? new Error(`${error.message} ${error.fix}`, { cause: error }) : error;
}
