import { Readable } from 'node:stream';

type Body = ReadableStream<Uint8Array>;

/** Ways to begin to read a body without waiting for its end. */
const WAYS: Record<string, (request: Request, body: Body) => unknown> = {
  text: (request) => request.text(),
  json: (request) => request.json(),
  arrayBuffer: (request) => request.arrayBuffer(),
  blob: (request) => request.blob(),
  bytes: (request) => request.bytes(),
  formData: (request) => request.formData(),
  'text of a clone': (request) => request.clone().text(),
  'json of a clone': (request) => request.clone().json(),
  'text of both': (request) => [request.clone().text(), request.text()],
  'a reader': (_, body) => body.getReader().read(),
  'a reader, twice': (_, body) => {
    const reader = body.getReader();
    return [reader.read(), reader.read()];
  },
  'closed of a reader': (_, body) => body.getReader().closed,
  'text, and cancel': (request) => [request.text(), request.body?.cancel()],
  pipeTo: (_, body) => body.pipeTo(new WritableStream()),
  'pipeTo of a clone': (request) => request.clone().body?.pipeTo(new WritableStream()),
  'a branch of tee': (_, body) => body.tee()[0].getReader().read(),
  'a function that waits for text': (request) => parse(request),
  'a function that reads': (_, body) => readOn(body),
  'pipeThrough and a reader': (_, body) => body.pipeThrough(new TransformStream()).getReader().read(),
  'a Response': (_, body) => new Response(body).text(),
  'Readable.fromWeb': (_, body) => Readable.fromWeb(body as never).resume(),
};

/** The waiting requests, by their tokens. */
const waiting = new Map<string, () => void>();

/** Answers at once. */
export function POST(request: Request): Response {
  begin(request);
  return new Response('refused', { status: 401 });
}

/** Answers when DELETE tells it to. */
export async function PUT(request: Request): Promise<Response> {
  begin(request);
  await new Promise<void>((resolve) => waiting.set(tokenOf(request), resolve));
  return new Response('refused', { status: 401 });
}

/** Whether the request is waiting. */
export function GET(request: Request): Response {
  return Response.json(waiting.has(tokenOf(request)));
}

/** Tells the request to answer. */
export function DELETE(request: Request): Response {
  const token = tokenOf(request);
  waiting.get(token)?.();
  return Response.json(waiting.delete(token));
}

function begin(request: Request): void {
  const way = new URL(request.url).searchParams.get('way') ?? '';
  const read = WAYS[way];
  if (!read) throw new Error(`This route cannot read a body by "${way}".`);
  // For a way that does not need the stream, the body is not turned into one.
  void (read.length === 1 ? read(request, undefined as never) : read(request, request.body as Body));
}

function tokenOf({ url }: Request): string {
  return new URL(url).searchParams.get('token') ?? '';
}

async function parse(request: Request): Promise<unknown> {
  return JSON.parse(await request.text());
}

async function readOn(body: Body): Promise<void> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read());
}
