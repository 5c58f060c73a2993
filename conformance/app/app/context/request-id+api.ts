import { requestId, runTask } from 'appkit-server';

export async function GET(): Promise<Response> {
  const before = requestId();
  const task = await new Promise<string>((resolve) => {
    runTask(() => resolve(requestId()));
  });
  return Response.json({ ids: [before, requestId()], task });
}
