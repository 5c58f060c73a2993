import { deferTask, runTask } from 'appkit-server';
import { enqueue } from 'appkit-server/jobs';
import { loaded, spanBelow } from '../../lib/telemetry.ts';
import work from './work+job.ts';

loaded.push('route');

/** Makes spans, both directly and in tasks. */
export async function GET(_request: Request, { id }: Record<string, string>): Promise<Response> {
  deferTask(() => spanBelow(`deferred ${id}`));
  runTask(async () => {
    await Promise.resolve();
    spanBelow(`task ${id}`);
  });
  await Promise.resolve();
  spanBelow(`route ${id}`);
  return Response.json(loaded);
}

export async function POST(): Promise<Response> {
  return Response.json(await enqueue(work), { status: 202 });
}

export function PUT(): never {
  throw new RangeError('secret cause');
}
