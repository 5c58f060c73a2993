import { gzipSync } from 'node:zlib';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** Far more than a host may pull: a host that collects the response would never finish. In bytes. */
const ENOUGH = 64 * 1024 * 1024;
const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
const text = { 'content-type': 'text/plain;charset=UTF-8' };

/** Responses, some of which are worth compressing. */
const answers: Record<string, (request: Request) => Response> = {
  text: () => new Response(long, { headers: text }),
  'by-itself': () => new Response(long),
  json: () => Response.json({ long }),
  small: () => new Response('x'.repeat(1000), { headers: text }),
  bytes: () => new Response(new TextEncoder().encode(long), { headers: text }),
  stream: () => new Response(new Blob([long]).stream(), { headers: text }),
  image: () => new Response(long, { headers: { 'content-type': 'image/png' } }),
  untyped: () => new Response(new TextEncoder().encode(long)),
  already: () => new Response(new Uint8Array(gzipSync(long)), { headers: { ...text, 'content-encoding': 'gzip' } }),
  'as-it-is': () => new Response(long, { headers: { ...text, 'cache-control': 'public, no-transform' } }),
  part: () =>
    new Response(long, { status: 206, headers: { ...text, 'content-range': `bytes 0-${long.length - 1}/9999` } }),
  varied: () => new Response(long, { headers: { ...text, vary: 'Origin' } }),
  sized: () => new Response(long, { headers: { ...text, 'content-length': String(long.length) } }),
  kept(request) {
    const etag = new URL(request.url).searchParams.has('weak') ? 'W/"of-the-text"' : '"of-the-text"';
    const known = request.headers.get('if-none-match');
    return known === etag
      ? new Response(null, { status: 304, headers: { etag } })
      : new Response(long, { headers: { ...text, etag } });
  },
  gated(request) {
    const id = query(request, 'id');
    return new Response(
      new ReadableStream({
        async start(controller) {
          const encoder = new TextEncoder();
          controller.enqueue(encoder.encode('first. '));
          await waitFor(`${id}-second`);
          controller.enqueue(encoder.encode('second.'));
          if (new URL(request.url).searchParams.has('fails')) controller.error(new Error('the source broke'));
          else controller.close();
        },
      }),
      { headers: text },
    );
  },
  endless(request) {
    const id = query(request, 'id');
    let produced = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          produced += 64 * 1024;
          controller.enqueue(crypto.getRandomValues(new Uint8Array(64 * 1024)));
          if (produced >= ENOUGH) controller.close();
        },
        cancel: () => record(`${id}-cancelled`),
      }),
      { headers: text },
    );
  },
};

export function GET(request: Request, { what }: { what: string }): Response {
  return answers[what]?.(request) ?? new Response(`There is no ${what}.`, { status: 404 });
}

export { GET as HEAD };
