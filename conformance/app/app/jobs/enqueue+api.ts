import { enqueue } from 'appkit-server/jobs';
import type { EnqueueOptions, Job } from 'appkit-server/jobs';
import act from './act+job.ts';
import changing from './changing+job.ts';
import hang from './hang+job.ts';

interface Asked {
  job: 'act' | 'changing' | 'hang';
  input: unknown;
  options?: EnqueueOptions;
}

/** Enqueues the requested job, and reports the result. */
export async function POST(request: Request): Promise<Response> {
  const { job, input, options } = (await request.json()) as Asked;
  return answer(async () => enqueue({ act, changing, hang }[job] as Job, input, options));
}

/** Enqueues values that JSON cannot represent. */
export async function PUT(): Promise<Response> {
  return answer(async () => enqueue(act, { signal: 'none', value: { at: 10n } }));
}

async function answer(run: () => Promise<object>): Promise<Response> {
  try {
    return Response.json(await run(), { status: 202 });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return Response.json({ code, message }, { status: 422 });
  }
}
