import { deferTask, environment, origin, requestId, runTask, setResponseHeaders } from 'appkit-server';

/** The result of each helper when it was called while this module was loading. */
const refusals: Record<string, string> = {
  origin: refusal(() => origin()),
  environment: refusal(() => environment()),
  requestId: refusal(() => requestId()),
  runTask: refusal(() => runTask(async () => {})),
  deferTask: refusal(() => deferTask(async () => {})),
  setResponseHeaders: refusal(() => setResponseHeaders({ 'x-outside': 'yes' })),
};

export function GET(): Response {
  return Response.json(refusals);
}

function refusal(call: () => unknown): string {
  try {
    call();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}
