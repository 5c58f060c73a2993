import path from 'node:path';
import { exportApp, exportForeign } from 'appkit-build';
import type { ExportOptions, ExportResult, ForeignExportOptions, OpenApiPlace } from 'appkit-build';
import { CommandError, WRONG_USAGE } from '../command-error.ts';
import { assertHostsKnowJobs } from '../deploy/jobs-hosts.ts';
import { printWarning } from '../report/error.ts';
import { formatExport } from '../report/export-table.ts';
import { createProgressLine } from '../report/progress.ts';
import { quoteForShell } from '../report/quote.ts';
import { onStdout } from '../report/style.ts';
import { EXIT_CODES, stopSignal } from '../stop-signal.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit export`, as commander reads them. */
export interface ExportFlags {
  outputDir: string;
  ssg: boolean;
  minify: boolean;
  dev?: boolean;
  clear?: boolean;
  openapi?: OpenApiPlace;
  sourceMaps?: 'true' | 'false' | 'inline' | 'external';
  from?: string;
  conditions?: string[];
}

const SOURCE_MAPS = { true: 'external', external: 'external', inline: 'inline', false: false } as const;

/** Writes the app to its output folder and lists the files. */
export async function exportCommand(directory: string, flags: ExportFlags): Promise<void> {
  const root = projectRoot(directory);
  if (flags.from !== undefined) {
    printResult(await runForeignExport(root, toForeignOptions(flags, flags.from)));
    return;
  }
  if (flags.conditions) {
    throw new CommandError('--conditions is for --from alone.', 'Leave it out, or say what to export by --from.', {
      exitCode: WRONG_USAGE,
    });
  }
  const result = await runExport(root, toOptions(flags));
  printResult(result);
  await assertHostsKnowJobs(root, result);
}

/** Exports an app until the process is asked to stop, and shows on a terminal how far it has come. */
export async function runExport(root: string, options: Omit<ExportOptions, 'projectRoot'>): Promise<ExportResult> {
  const progress = createProgressLine(process.stderr);
  try {
    return await exportApp({ ...options, projectRoot: root, onProgress: progress.update, signal: abortOnStop() });
  } finally {
    progress.erase();
  }
}

/** Exports the build of another framework until the process is asked to stop. */
export function runForeignExport(
  root: string,
  options: Omit<ForeignExportOptions, 'projectRoot'>,
): Promise<ExportResult> {
  return exportForeign({ ...options, projectRoot: root, signal: abortOnStop() });
}

/** A signal that is aborted when the process is asked to end, so that a half-written export is removed first. */
function abortOnStop(): AbortSignal {
  const stop = new AbortController();
  void stopSignal().then((signal) => {
    const fix = 'The output folder is unchanged. Run the export again.';
    stop.abort(new CommandError(`The export was stopped by ${signal}.`, fix, { exitCode: EXIT_CODES[signal] }));
  });
  return stop.signal;
}

function toOptions(flags: ExportFlags): Omit<ExportOptions, 'projectRoot'> {
  const { outputDir, ssg, minify, dev = false, clear = false, openapi, sourceMaps = 'external' } = flags;
  return {
    outputDir,
    ssg,
    dev,
    clear,
    openapi,
    sourceMaps: SOURCE_MAPS[sourceMaps],
    // Left out unless it was asked for: what is minified also follows from dev.
    ...(!minify && { minify }),
  };
}

/** @throws CommandError for an option that only an app with route files has. */
function toForeignOptions(flags: ExportFlags, from: string): Omit<ForeignExportOptions, 'projectRoot'> {
  const { outputDir, ssg, minify, dev, clear = false, openapi, sourceMaps = 'external', conditions = [] } = flags;
  const unfit = [...(ssg ? [] : ['--no-ssg']), ...(dev ? ['--dev'] : []), ...(openapi ? ['--openapi'] : [])];
  if (unfit.length > 0) {
    throw new CommandError(`${unfit.join(' and ')} cannot be combined with --from.`, 'Leave it out.', {
      exitCode: WRONG_USAGE,
    });
  }
  return { from, outputDir, minify, clear, conditions, sourceMaps: SOURCE_MAPS[sourceMaps] };
}

/** What was exported, in words: `2 pages and 1 route`. */
export function describeExported({ manifest, pages }: Pick<ExportResult, 'manifest' | 'pages'>): string {
  const { routes } = manifest;
  if (manifest.fetch) return 'the server';
  const counts = [
    ...(pages.length > 0 ? [countOf(pages.length, 'page')] : []),
    ...(routes.length > 0 || pages.length === 0 ? [countOf(routes.length, 'route')] : []),
  ];
  return counts.join(' and ');
}

function printResult(result: ExportResult): void {
  const { outputDir, files, warnings } = result;
  for (const warning of warnings) printWarning(warning);
  if (files.length > 0) console.log(`${formatExport(files)}\n`);

  const where = path.relative(process.cwd(), outputDir) || '.';
  const serve = where === 'dist' ? 'appkit serve' : `appkit serve ${quoteForShell(where)}`;
  console.log(`${onStdout('green', 'Exported')} ${describeExported(result)} to ${where}. Try it: ${serve}`);
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
