import { describe, expect, it } from 'vitest';
import { handlerOf } from './fixtures/app.ts';
import { limitBody } from './limit-body.ts';

/** A request whose body arrives in parts, and how many of them have been requested. */
function chunked(sizes: readonly number[], headers: Record<string, string> = {}) {
  const seen = { parts: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const size = sizes[seen.parts++];
        if (size === undefined) controller.close();
        else controller.enqueue(new Uint8Array(size));
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half', headers };
  return { request: new Request('http://app.test/', init), seen };
}

async function answer(request: Request, maxBytes: number): Promise<[status: number, text: string]> {
  const POST = async (given: Request): Promise<Response> =>
    new Response(String((await limitBody(given, maxBytes).arrayBuffer()).byteLength));
  const response = await handlerOf({ routes: { '/': { POST } } })(request);
  return [response.status, await response.text()];
}

describe('limitBody()', () => {
  it('refuses a Content-Length over the limit before it reads', async () => {
    const { request, seen } = chunked([1001], { 'content-length': '1001' });
    expect(await answer(request, 1000)).toEqual([413, '{"error":"Content Too Large"}']);
    expect(seen).toEqual({ parts: 0, cancelled: false });
  });

  it('returns the request itself if its Content-Length is within the limit, or if it has no body', () => {
    const { request } = chunked([1000], { 'content-length': '1000' });
    expect(limitBody(request, 1000)).toBe(request);
    const empty = new Request('http://app.test/');
    expect(limitBody(empty, 0)).toBe(empty);
  });

  it('accepts exactly the limit, and not one byte more', async () => {
    expect(await answer(chunked([500, 500]).request, 1000)).toEqual([200, '1000']);
    expect(await answer(chunked([500, 501]).request, 1000)).toEqual([413, '{"error":"Content Too Large"}']);
    expect(await answer(chunked([1]).request, 0)).toEqual([413, '{"error":"Content Too Large"}']);
  });

  it('stops reading beyond the limit', async () => {
    const { request, seen } = chunked([600, 600, 600, 600, 600, 600]);
    expect((await answer(request, 1000))[0]).toBe(413);
    expect(seen.parts).toBeLessThanOrEqual(3);
    expect(seen.cancelled).toBe(true);
  });

  it('keeps method, URL and headers', async () => {
    const { request } = chunked([1], { 'content-type': 'text/x-test' });
    const limited = limitBody(request, 10);
    expect([limited.method, limited.url, limited.headers.get('content-type')]).toEqual([
      'POST',
      'http://app.test/',
      'text/x-test',
    ]);
  });

  it('refuses an invalid limit', () => {
    for (const limit of [-1, Number.NaN, undefined as unknown as number]) {
      expect(() => limitBody(new Request('http://app.test/'), limit)).toThrow(
        expect.objectContaining({
          code: 'ERR_OPTION_INVALID',
          message: `limitBody() was given the limit ${limit}. Give a number of bytes.`,
        }),
      );
    }
  });
});
