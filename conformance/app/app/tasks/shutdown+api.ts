import { deferTask, runTask } from 'appkit-server';

/** Tasks that are still running when the server is told to stop. */
export function GET(): Response {
  runTask(async () => {
    await stopSignal();
    await workFor(20);
    console.log('run task finished');
  });
  deferTask(async () => {
    console.log('deferred task waiting');
    await stopSignal();
    await workFor(20);
    console.log('deferred task finished');
  });
  return new Response('tasks at work');
}

/** A response that is still being prepared when the server is told to stop. */
export async function POST(): Promise<Response> {
  console.log('request waiting');
  await stopSignal();
  await workFor(20);
  return new Response('finished all the same');
}

/** A stream that ends with its request, after the server has been told to stop. */
export function PATCH(request: Request): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('begun, '));
      controller.enqueue(new TextEncoder().encode(await request.text()));
      controller.close();
    },
  });
  return new Response(body);
}

/** A response that never arrives. */
export async function PUT(): Promise<Response> {
  console.log('request without end');
  return new Promise(() => {});
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => process.once('SIGTERM', () => resolve()));
}

async function workFor(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setTimeout(resolve, 1));
}
