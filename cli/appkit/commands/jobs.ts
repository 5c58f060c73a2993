import type { JobRecord, JobState } from 'appkit-server/jobs/sqlite';
import { CommandError } from '../command-error.ts';
import { loadEnvFile } from '../env-file.ts';
import { formatTable } from '../report/table.ts';
import { toAppFolder } from '../serve/find-build.ts';
import { openJobs } from '../serve/open-jobs.ts';
import type { Jobs } from '../serve/open-jobs.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit jobs`, as commander reads them. */
export interface JobsFlags {
  dir: string;
  envFile?: string;
  json?: boolean;
  state?: JobState;
  limit?: number;
}

/** Lists jobs, the latest first. */
export async function listJobsCommand(flags: JobsFlags): Promise<void> {
  const { json = false, state, limit } = flags;
  await withJobs(flags, async (jobs) => {
    const records = await jobs.list({ state, limit });
    if (json) return console.log(JSON.stringify(records.map(toJson), null, 2));
    if (records.length === 0) return console.log(`There are no ${state === undefined ? '' : `${state} `}jobs.`);
    const rows = records.map(({ id, job, state, attempt, createdAt, error = '' }) => [
      id,
      job,
      state,
      String(attempt),
      createdAt.toISOString(),
      error.split('\n')[0] ?? '',
    ]);
    const headings = ['Id', 'Job', 'State', 'Attempts', 'Enqueued', 'Last error'];
    console.log(
      formatTable(
        headings.map((heading) => ({ heading })),
        rows,
      ),
    );
  });
}

/** Shows everything that is known about a job. */
export async function showJobCommand(id: string, flags: JobsFlags): Promise<void> {
  await withJobs(flags, async (jobs) => {
    const record = await jobs.get(id);
    if (!record) throw unknownJob(id, flags);
    console.log(JSON.stringify(toJson(record), null, 2));
  });
}

/** Makes a job run at once, with all its attempts again. */
export async function retryJobCommand(id: string, flags: JobsFlags): Promise<void> {
  await withJobs(flags, async (jobs) => {
    if (!(await jobs.retry(id))) throw refused(await jobs.get(id), 'run again', unknownJob(id, flags));
    console.log(`${id} will be run by the next process that runs jobs.`);
  });
}

/** Forgets a job. */
export async function discardJobCommand(id: string, flags: JobsFlags): Promise<void> {
  await withJobs(flags, async (jobs) => {
    if (!(await jobs.discard(id))) throw refused(await jobs.get(id), 'discarded', unknownJob(id, flags));
    console.log(`${id} is discarded.`);
  });
}

async function withJobs({ dir, envFile }: JobsFlags, use: (jobs: Jobs) => Promise<void>): Promise<void> {
  if (envFile !== undefined) loadEnvFile(envFile);
  const root = toAppFolder(projectRoot(dir));
  const jobs = await openJobs(root, { work: false, mustExist: true });
  try {
    await use(jobs);
  } finally {
    await jobs.close();
  }
}

function toJson(record: JobRecord): object {
  return { ...record, envelope: undefined };
}

function refused(record: JobRecord | undefined, what: string, unknown: CommandError): CommandError {
  if (!record) return unknown;
  const fix = record.state === 'running' ? 'Wait until it has ended.' : 'Enqueue it again in the app.';
  return new CommandError(`${record.id}: a job that is ${record.state} cannot be ${what}.`, fix);
}

function unknownJob(id: string, { dir }: JobsFlags): CommandError {
  return new CommandError(`${id}: there is no job with this id.`, `List them with \`appkit jobs list --dir ${dir}\`.`);
}
