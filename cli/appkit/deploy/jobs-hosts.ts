import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { ExportResult } from 'appkit-build';
import { addPostgresJobs, addSqliteJobs, loadJobsHosts, postgresJobs } from 'appkit-server/deploy';
import type { HostedJob, HostingModule, JobsHost } from 'appkit-server/deploy';
import { CommandError } from '../command-error.ts';
import { withoutMark } from '../env-file.ts';
import type { TemplateFile } from '../init/plan-files.ts';
import { findJobs, readManifest } from '../serve/open-jobs.ts';
import { readHostingModules } from './hosting-modules.ts';

/**
 * Compares the jobs of an export with the app's host configurations. Without jobs, no configuration is read.
 *
 * @param root – the folder of the app.
 * @throws CommandError that says what is missing, and what to add.
 */
export async function assertHostsKnowJobs(
  root: string,
  { manifest, jobs: sources }: Pick<ExportResult, 'manifest' | 'jobs'>,
): Promise<void> {
  const jobs = (manifest.jobs ?? []).map((job) => ({ ...job, source: sources[job.name] ?? job.file }));
  if (jobs.length === 0) return;
  const hosts = (await loadJobsHosts()).filter(({ configFile }) => existsSync(path.join(root, configFile)));
  if (hosts.length === 0) return;
  const modules = readHostingModules(root);
  const found = hosts.flatMap((host) => {
    const hosting = modules.filter(({ code }) => code.includes(host.adapter));
    if (!storeJobsThere(hosting, host)) return [];
    return host.findProblems(readFileSync(path.join(root, host.configFile), 'utf8'), jobs, hosting);
  });
  const [first, ...others] = found;
  if (!first) return;
  const rest = others.map(({ message, fix }) => `\n\n${message}\n${fix}`);
  throw new CommandError(first.message, first.fix + rest.join(''));
}

/**
 * Whether modules store jobs in their host's engine, or have no engine yet. Others may store them elsewhere, such as in PostgreSQL, and without
 * any module the configuration may belong to something else.
 */
function storeJobsThere(hosting: readonly HostingModule[], { engine }: JobsHost): boolean {
  return hosting.some(({ code }) => code.includes(engine) || !code.includes('appkit-server/jobs/'));
}

/**
 * Adapts the files of a host's template to the app's jobs, if it has any.
 *
 * @param to – the folder of the app, the packages in its `package.json`, and the engine for a host without a
 * configuration for jobs: PostgreSQL instead of `sqlite` if the app has it.
 */
export async function fillForJobs(
  files: readonly TemplateFile[],
  { root, packages, engine }: { root: string; packages: readonly string[]; engine: 'sqlite' | undefined },
): Promise<FilledTemplate> {
  const hosts = await loadJobsHosts();
  const host = hosts.find(({ configFile }) => files.some((file) => file.path === configFile));
  const jobs = host || engine ? await describeJobs(root) : [];
  if (jobs.length === 0) return { files, commands: [] };
  const hasBoss = packages.includes('pg-boss');
  const inPostgres = !host && (hasBoss || usesPostgres(root));
  const fill = host ? host.fillTemplate : inPostgres ? addPostgresJobs : addSqliteJobs;
  const filled = files.map(({ path: file, content }) => {
    const text = fill({ path: file, text: content.toString() }, jobs);
    return { path: file, content: Buffer.from(text) };
  });
  if (!host) return { files: filled, commands: inPostgres && !hasBoss ? postgresJobs.commands : [] };
  const config = filled.find((file) => file.path === host.configFile)?.content.toString() ?? '';
  const added = (host.addedFiles?.(config, jobs) ?? []).map(({ path: file, text }) => ({
    path: file,
    content: Buffer.from(text),
  }));
  return { files: [...filled, ...added], commands: host.commands?.(config) ?? [] };
}

/** Whether `appkit start` stores the jobs in PostgreSQL, by the variables of this process or the `.env` files of the app. */
function usesPostgres(root: string): boolean {
  const files = ['.env', '.env.local']
    .map((file) => path.join(root, file))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .map((file) => parseEnv(withoutMark(readFileSync(file, 'utf8'))));
  return 'url' in findJobs(root, Object.assign({}, ...files, process.env) as NodeJS.ProcessEnv); // all are texts
}

/** A template adapted to an app's jobs. */
interface FilledTemplate {
  files: readonly TemplateFile[];
  /** The one-time commands that create what the jobs need. */
  commands: readonly string[];
}

/** Reads the jobs from the sources, otherwise from an export. */
async function describeJobs(projectRoot: string): Promise<HostedJob[]> {
  if (!hasJobFile(projectRoot)) {
    const { jobs = [] } = readManifest(path.join(projectRoot, 'dist/server')) ?? {};
    return jobs.map((job) => ({ ...job, source: job.file }));
  }
  // Parsing takes the bundler, which few apps need here.
  const { describeApp } = await import('appkit-build/development');
  const { jobs } = await describeApp({ projectRoot });
  return jobs.map(({ job: name, output, file: source, settings }) => ({ name, file: output, source, ...settings }));
}

function hasJobFile(root: string): boolean {
  const folders = ['app', 'src/app'].map((folder) => path.join(root, folder)).filter((folder) => existsSync(folder));
  return folders.some((folder) =>
    readdirSync(folder, { recursive: true }).some((file) => String(file).includes('+job.')),
  );
}
