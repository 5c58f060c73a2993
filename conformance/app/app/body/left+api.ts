import { Readable } from 'node:stream';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** Ways to begin to read a body, of which nobody waits for the end. */
const WAYS: Record<string, (request: Request) => unknown> = {
  text: (request) => request.text(),
  json: (request) => request.json(),
  arrayBuffer: (request) => request.arrayBuffer(),
  blob: (request) => request.blob(),
  formData: (request) => request.formData(),
  clone: (request) => request.clone().text(),
  reader: (request) => request.body?.getReader().read(),
  loop: (request) => readOn(request),
  parsed: (request) => parse(request),
  cancel: (request) => [request.text(), request.body?.cancel()],
  pipeTo: (request) => request.body?.pipeTo(new WritableStream()),
  fromWeb: (request) => request.body && Readable.fromWeb(request.body as never).resume(),
};

/** Answers before the body is there that it has begun to read, or throws instead. */
export function POST(request: Request): Response {
  void WAYS[query(request, 'way')]?.(request);
  if (query(request, 'then') === 'throw') throw new Error('after it began to read the body');
  return new Response('refused', { status: 401 });
}

/** Reads the body when it is told to, and records what it has read. */
export async function PATCH(request: Request): Promise<Response> {
  const id = query(request, 'id');
  record(`${id}-reached`);
  await waitFor(`${id}-release`);
  record(`${id}-read`, await request.text().catch(String));
  return new Response();
}

async function readOn({ body }: Request): Promise<void> {
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read());
}

async function parse(request: Request): Promise<unknown> {
  return JSON.parse(await request.text());
}
