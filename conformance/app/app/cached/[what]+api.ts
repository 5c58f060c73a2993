import { cache, nonce, setResponseHeaders, StatusError } from 'appkit-server';
import { cookies } from 'appkit-server/cookies';
import { query } from '../../lib/query.ts';
import { record, valueOf, waitFor } from '../../lib/signals.ts';

const ownHeaders = { 'cache-control': 'public, max-age=30', 'cdn-cache-control': 'public, max-age=30' };

/** Responses that say how they may be cached. `number` counts the responses made for the id. */
const answers: Record<string, (request: Request, number: number) => Response | Promise<Response>> = {
  plain: (_, number) => keep({ maxAge: 600 }, number),
  text: (_, number) => (cache({ maxAge: 600 }), new Response(`number ${number}`)),
  timed: (_, number) => keep({ maxAge: 60, swr: 600, staleIfError: 3600 }, number),
  twice: (_, number) => (
    cache({ maxAge: 600, swr: 5, vary: ['x-a'] }),
    keep({ maxAge: 60, swr: 50, vary: ['x-b'] }, number)
  ),
  never: (_, number) => (cache(false), keep({ maxAge: 600 }, number)),
  tagged: (request, number) => keep({ maxAge: 600, tags: [`tag-${query(request, 'id')}`] }, number),
  own: (_, number) => keep({ maxAge: 600 }, number, { 'cache-control': 'public, max-age=5' }),
  'own-never': (_, number) => (cache(false), keep({ maxAge: 600 }, number, ownHeaders)),
  'own-fills-jar': (_, number) => (cookies().set('a', '1'), keep({ maxAge: 600 }, number, ownHeaders)),
  'own-reads-jar': (_, number) =>
    keep({ maxAge: 600 }, number, { ...ownHeaders, 'x-cookie': String(cookies().get('a')) }),
  'own-alone': (_, number) => Response.json({ number }, { headers: { ...ownHeaders, 'set-cookie': 'a=1' } }),
  'own-strict': (_, number) => (cache(false), keep({ maxAge: 600 }, number, { 'cache-control': 'no-store' })),
  private: (_, number) => keep({ maxAge: 600 }, number, { 'cache-control': 'private' }),
  stale: (_, number) => keep({ maxAge: 0, swr: 600 }, number),
  'stale-host': ({ headers }, number) =>
    keep({ maxAge: 0, swr: 600 }, number, { 'x-host': String(headers.get('host')) }),
  language: ({ headers }, number) =>
    keep({ maxAge: 600, vary: ['accept-language'] }, number, { 'x-language': String(headers.get('accept-language')) }),
  cookie: ({ headers }, number) => keep({ maxAge: 600 }, number, { 'x-cookie': String(headers.get('cookie')) }),
  'reads-jar': (_, number) => keep({ maxAge: 600 }, number, { 'x-cookie': String(cookies().get('a')) }),
  'fills-jar': (_, number) => (cookies().set('a', '1'), keep({ maxAge: 600 }, number)),
  'by-cookie': ({ headers }, number) =>
    keep({ maxAge: 600, vary: ['cookie'] }, number, { 'x-cookie': String(headers.get('cookie')) }),
  forwarded: ({ headers }, number) =>
    keep({ maxAge: 600 }, number, { 'x-seen': String(headers.get('x-forwarded-host')) }),
  nonce: (_, number) => keep({ maxAge: 600 }, number, { 'x-nonce': nonce() }),
  setting: (_, number) => (setResponseHeaders({ 'set-cookie': 'a=1' }), keep({ maxAge: 600 }, number)),
  part: (_, number) => keep({ maxAge: 600 }, number, { 'content-range': 'bytes 0-9/99' }, 206),
  etag: (_, number) => keep({ maxAge: 600 }, number, { etag: '"of-the-number"' }),
  long: (_, number) => keep({ maxAge: 600 }, number, { 'x-long': 'yes' }),
  fails(_, number) {
    cache({ maxAge: 600 });
    throw new StatusError(503, `number ${number}`);
  },
  'stale-if-error'(_, number) {
    cache({ maxAge: 0, staleIfError: 600 });
    if (number > 1) throw new Error('Every answer but the first fails.');
    return Response.json({ number });
  },
  async slow(request, number) {
    cache({ maxAge: 600, tags: [`tag-${query(request, 'id')}`] });
    const id = query(request, 'id');
    record(`${id}-${number}-begun`);
    await waitFor(`${id}-${number}-go`);
    return Response.json({ number });
  },
  floating({ headers }, number) {
    cache({ maxAge: 600 });
    void readLate(headers);
    return Response.json({ number });
  },
  'floating-beside-stream'({ headers }, number) {
    cache({ maxAge: 600 });
    void readLate(headers);
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.enqueue(new TextEncoder().encode(`number ${number}`));
      controller.close();
    };
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/plain' } });
  },
  late({ headers }, number) {
    cache({ maxAge: 600 });
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      // By then the head of the response has been sent.
      await new Promise((resolve) => setTimeout(resolve));
      controller.enqueue(new TextEncoder().encode(`number ${number}, ${headers.get('cookie')}`));
      controller.close();
    };
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/plain' } });
  },
  stream(request, number) {
    cache({ maxAge: 600 });
    const id = query(request, 'id');
    return new Response(
      new ReadableStream({
        async start(controller) {
          const encoder = new TextEncoder();
          controller.enqueue(encoder.encode(`number ${number}, `));
          await waitFor(`${id}-second`, request.signal);
          controller.enqueue(encoder.encode('second.'));
          if (new URL(request.url).searchParams.has('fails') && number === 1) controller.error(new Error('it broke'));
          else controller.close();
        },
      }),
      { headers: { 'content-type': 'text/plain' } },
    );
  },
};

function keep(
  rule: Exclude<Parameters<typeof cache>[0], false>,
  number: number,
  headers: Record<string, string> = {},
  status = 200,
): Response {
  cache(rule);
  const padding = headers['x-long'] ? 'x'.repeat(4000) : '';
  return Response.json({ number, ...(padding && { padding }) }, { status, headers });
}

export function GET(request: Request, { what }: { what: string }): Response | Promise<Response> {
  const counter = `${query(request, 'id')}-made`;
  const number = Number(valueOf(counter)) + 1;
  record(counter, String(number));
  return answers[what]?.(request, number) ?? new Response(`There is no ${what}.`, { status: 404 });
}

export { GET as HEAD };

export function POST(): Response {
  return new Response('written');
}

/** Reads a header during or after the response. It is not awaited. */
async function readLate(headers: Headers): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  headers.get('user-agent');
}
