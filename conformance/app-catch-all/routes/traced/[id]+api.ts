import { deferTask, runTask } from 'appkit-server';
import { loaded, spanBelow } from '../../lib/telemetry.ts';

loaded.push('route');

/** Makes spans, in itself and in tasks. */
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

export function PUT(): never {
  throw new RangeError('secret cause');
}
