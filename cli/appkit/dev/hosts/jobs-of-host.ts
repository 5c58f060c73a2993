import { JOBS_HEADER } from './jobs-in-host.ts';

/** What only the host knows and does of an app's jobs, because only it loads them. */
export interface JobsOfHost {
  /**
   * Stores a job, which is then run.
   *
   * @returns its id.
   * @throws Error if the input is refused, or the job cannot be loaded.
   */
  enqueue(job: string, input: unknown): Promise<string>;
  /** The schedules of the jobs in words, or why they are unknown, by the names of the jobs. */
  describeSchedules(): Promise<Record<string, string>>;
}

/** Makes the jobs of a host whose requests are sent by `fetch`. */
export function toJobsOfHost(mark: string, fetch: (request: Request) => Promise<Response>): JobsOfHost {
  const ask = async (body?: string): Promise<Response> => {
    const headers = { [JOBS_HEADER]: mark };
    return fetch(
      new Request('http://localhost/', body === undefined ? { headers } : { method: 'POST', headers, body }),
    );
  };
  return {
    async enqueue(job, input) {
      const response = await ask(JSON.stringify({ job, input }));
      const { id, message } = (await response.json()) as { id?: string; message?: string }; // of jobs-in-host.ts
      if (id === undefined) throw new Error(message);
      return id;
    },
    describeSchedules: async () => (await (await ask()).json()) as Record<string, string>,
  };
}
