import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { printWarning } from '../report/error.ts';
import type { ChangeStream } from './change-stream.ts';
import { describeChanges } from './describe-changes.ts';
import type { DevApp } from './dev-app.ts';
import type { HostApp, HostUpdate } from './hosts/host-app.ts';
import { isEnvFile } from './env-files.ts';
import { readPackageFields } from './package-fields.ts';
import { problemsOf, reportProblems, UNREADABLE } from './report.ts';
import type { Reporter } from './report.ts';
import type { ServerModules } from './server-modules.ts';
import type { DevSite } from './site.ts';
import type { FileWatcher } from './watch-files.ts';
import { nameOf } from '../report/middleware.ts';

const SOURCE_OR_CONFIG = /\.(?:[cm]?[jt]s|[jt]sx)$|^(?:app|package)\.json$/;
const TSCONFIG = /^tsconfig(?:\..+)?\.json$/;
const VITE_CONFIG = /^vite\.config\.[cm]?[jt]s$/;

/** What a reload concerns. */
export interface Reloading {
  projectRoot: string;
  app: DevApp;
  modules: ServerModules;
  reporter: Reporter;
  changes: ChangeStream;
  /** Runs the routes, if this process does not. */
  hostApp?: HostApp | undefined;
  /** The app's pages, and how to update them. */
  site?: (Pick<DevSite, 'entry' | 'configFiles'> & { refresh(files: ReadonlySet<string>): Promise<void> }) | undefined;
}

/**
 * Keeps the app up to date with its files: stale modules are dropped at once, then reloaded, and file names are read
 * again.
 */
export function createReloader(reloading: Reloading): FileWatcher {
  const { projectRoot, app, modules, reporter, changes, hostApp, site } = reloading;
  const packageFields = readPackageFields(path.join(projectRoot, 'package.json'));
  const stale = new Set<string>();
  let since: number | undefined;
  let work = Promise.resolve();

  const settle = async (files: ReadonlySet<string>): Promise<void> => {
    const startedAt = since ?? performance.now();
    since = undefined;
    const before = app.description;
    await describe();
    for (const line of describeChanges(before, app.description)) reporter.line(line, performance.now() - startedAt);
    if (before.config.base !== app.description.config.base) {
      reporter.line('web.base has changed: start again to have all URLs follow', performance.now() - startedAt);
    }
    for (const warning of app.description.warnings) if (!before.warnings.includes(warning)) printWarning(warning);
    if (!isDeepStrictEqual(problemsOf(before), problemsOf(app.description))) reportProblems(app.description, reporter);
    const isOfPages = site !== undefined && stale.delete(site.entry);
    const reloaded = await loadAgain(stale);
    const updated = hostApp && (await updateHost(hostApp, files));
    if (updated?.isNew) reloaded.push(`the routes, in ${hostApp?.name}`);
    // What only loaders use is known to the host alone.
    if ((isOfPages || updated?.hasNewLoaders) && (await refreshPages(files))) reloaded.push('the pages');
    if (reloaded.length > 0) {
      const names = [...files].map((file) => path.relative(projectRoot, file).replaceAll(path.sep, '/'));
      reporter.line(`reloaded ${reloaded.join(', ')}: ${shorten(names)} changed`, performance.now() - startedAt);
    }
    changes.announce();
  };
  const describe = async (): Promise<void> => {
    try {
      await app.describe();
    } catch (error) {
      hostApp?.fail(error);
      throw error;
    }
  };
  const updateHost = async (host: HostApp, files: ReadonlySet<string>): Promise<HostUpdate | undefined> => {
    try {
      return await host.update(app, files);
    } catch (error) {
      reporter.errorOnce(error, `The routes cannot run in ${host.name}.`);
      return undefined;
    }
  };
  /**
   * A browser requests new data only if the refresh succeeds: otherwise it would show an error in place of its page.
   */
  const refreshPages = async (files: ReadonlySet<string>): Promise<boolean> => {
    try {
      await site?.refresh(files);
      return true;
    } catch (error) {
      reporter.errorOnce(error, UNREADABLE);
      return false;
    }
  };
  const loadAgain = async (files: Set<string>): Promise<string[]> => {
    const wanted = [...files];
    files.clear();
    const { routes, middleware } = app.description;
    const kept = [...routes, ...middleware].filter(
      ({ file, problems }) => wanted.includes(file) && problems.length === 0,
    );
    const reloaded = await Promise.all(
      kept.map(async (entry) => {
        const name = 'role' in entry ? nameOf(entry) : entry.pattern;
        try {
          await app.load(entry.file);
          return [name];
        } catch (error) {
          reporter.error(error, `${entry.file} cannot be loaded.`);
          return [];
        }
      }),
    );
    return reloaded.flat();
  };

  /** Vite reads these only at the start, or keeps what it has found by them. */
  const isReadOnce = (file: string, event: string): boolean =>
    TSCONFIG.test(path.basename(file)) ||
    (path.basename(file) === 'package.json' && packageFields.haveChanged(file, event)) ||
    (site !== undefined && (site.configFiles.includes(file) || VITE_CONFIG.test(path.relative(projectRoot, file))));

  /** There are several `package.json`: those of linked packages are watched too. */
  const toShownName = (file: string): string =>
    path.basename(file) === 'package.json'
      ? path.relative(projectRoot, file).replaceAll(path.sep, '/')
      : path.basename(file);

  /** A route may write files inside the project, such as a database or a log. */
  const mayMatter = (file: string, event: string): boolean =>
    modules.has(file, event) ||
    hostApp?.has(file) ||
    event.endsWith('Dir') ||
    SOURCE_OR_CONFIG.test(path.basename(file));

  return {
    onChange(file, event) {
      if (isEnvFile(file, { projectRoot, mode: process.env['NODE_ENV'] ?? '' })) {
        reporter.line(`${path.basename(file)} has changed: start again to have its variables`);
        return false;
      }
      if (isReadOnce(file, event)) reporter.line(`${toShownName(file)} has changed: start again to have it read`);
      if (!mayMatter(file, event)) return false;
      reporter.forgetErrors();
      since ??= performance.now();
      hostApp?.hold();
      for (const dependent of modules.invalidate(file, event)) stale.add(dependent);
      return true;
    },
    onSettled(files) {
      // One at a time: each describes the files as they are when it starts.
      work = work.then(() => settle(files)).catch((error: unknown) => reporter.error(error, 'The app cannot be read.'));
    },
  };
}

function shorten(names: readonly string[]): string {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
