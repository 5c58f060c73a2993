import http from 'node:http';
import type { ServerResponse } from 'node:http';
import http2 from 'node:http2';
import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { CACHE_DEFAULT } from '../_http/cache-default.ts';
import { askFor, askOverHttp2, listen } from './node-exchange.cases.ts';
import { writeHead } from './write-head.ts';
import type { Head } from './write-head.ts';

/** What a framework or its middleware has done to the response before. */
type Framework = (nodeResponse: ServerResponse) => void;

const setsHeader: Framework = (nodeResponse) => void nodeResponse.setHeader('x-framework', '1');

/** The lines that the client gets. Node's own Date is left out. */
async function linesOf(
  head: Partial<Head>,
  { length, framework }: { length?: number; framework?: Framework } = {},
): Promise<string[]> {
  const failed = Promise.withResolvers<never>();
  const server = http.createServer((_, nodeResponse) => {
    try {
      framework?.(nodeResponse);
      writeHead({ status: 200, statusText: '', headers: [], ...head }, nodeResponse, length);
      nodeResponse.end('x'.repeat(length ?? 0));
    } catch (error) {
      failed.reject(error);
    }
  });
  const answer = askFor(await listen(server), 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n');
  const [lines = ''] = (await Promise.race([answer, failed.promise])).split('\r\n\r\n');
  return lines.split('\r\n').filter((line) => !line.startsWith('Date: '));
}

it('sets nothing of an answer with a header that cannot be sent', () => {
  for (const framework of [() => undefined, setsHeader]) {
    const nodeResponse = new http.ServerResponse(new http.IncomingMessage(new Socket()));
    framework(nodeResponse);
    const before = nodeResponse.getHeaderNames();
    const headers = ['cache-control', 'public, max-age=60', 'set-cookie', 'a=b', 'x-name', 'a\x7fb'];
    expect(() => writeHead({ status: 200, statusText: '', headers }, nodeResponse, 0)).toThrow('x-name');
    expect([nodeResponse.getHeaderNames(), nodeResponse.headersSent]).toEqual([before, false]);
  }
});

describe('the status line', () => {
  it('has the reason phrase of the Response, and otherwise the standard one', async () => {
    expect((await linesOf({ status: 404, statusText: 'No such shop' }))[0]).toBe('HTTP/1.1 404 No such shop');
    expect((await linesOf({ status: 404 }))[0]).toBe('HTTP/1.1 404 Not Found');
  });

  it('has no phrase for a status without a standard one', async () => {
    expect((await linesOf({ status: 299 }))[0]).toBe('HTTP/1.1 299 ');
  });

  it('has the reason phrase of the Response in a framework, too', async () => {
    const [line] = await linesOf({ status: 404, statusText: 'No such shop' }, { framework: setsHeader });
    expect(line).toBe('HTTP/1.1 404 No such shop');
  });
});

describe('Cache-Control', () => {
  const mark = `cache-control: ${CACHE_DEFAULT}`;

  it('marks an answer as private that says nothing about caches', async () => {
    expect(await linesOf({ headers: ['x-route', '1'] })).toContain(mark);
    expect(await linesOf({}, { framework: setsHeader })).toContain(mark);
  });

  it('is left to a route that says how its answer may be kept', async () => {
    const publicly = await linesOf({ headers: new Headers({ 'cache-control': 'public', 'x-last': '1' }) });
    expect(publicly.filter((line) => line.startsWith('cache-control'))).toEqual(['cache-control: public']);
    expect(await linesOf({ headers: ['expires', '0', 'x-last', '1'] })).not.toContain(mark);
  });

  it('is left to a framework that has set it', async () => {
    const framework: Framework = (nodeResponse) => void nodeResponse.setHeader('cache-control', 'public');
    const lines = await linesOf({ headers: ['x-route', '1'] }, { framework });
    expect(lines.filter((line) => line.startsWith('cache-control'))).toEqual(['cache-control: public']);
  });

  describe('of an answer that caches may keep, in a framework', () => {
    const open = ['cache-control', 'public, max-age=0, s-maxage=60', 'cdn-cache-control', 'public, max-age=60'];
    const cachingOf = async (headers: string[], framework: Framework): Promise<string[]> =>
      (await linesOf({ headers }, { framework })).filter((line) => /cache-control/i.test(line));

    it('stays with no other headers than those', async () => {
      const expected = ['cache-control: public, max-age=0, s-maxage=60', 'cdn-cache-control: public, max-age=60'];
      expect(await cachingOf(open, setsHeader)).toEqual(expected);
    });

    it('becomes private with a cookie that the framework has set', async () => {
      const setsCookie: Framework = (nodeResponse) => void nodeResponse.setHeader('set-cookie', 'a=1');
      expect(await cachingOf(open, setsCookie)).toEqual([mark, `cdn-${mark}`]);
      const alone = ['cache-control', 'public, max-age=5'];
      expect(await cachingOf(alone, setsCookie)).toEqual(['cache-control: public, max-age=5']);
    });

    it.each(['no-store', 'private, max-age=5', 'private,max-age=5', 'public, no-cache'])(
      'is the %s of the framework',
      async (value) => {
        const forbids: Framework = (nodeResponse) => void nodeResponse.setHeader('cache-control', value);
        expect(await cachingOf(open, forbids)).toEqual([`cache-control: ${value}`]);
      },
    );

    it.each(['no-store', 'private'])('is, with its cookie, still the %s of the framework', async (value) => {
      const framework: Framework = (nodeResponse) =>
        void nodeResponse.setHeader('cache-control', value).setHeader('set-cookie', 'a=1');
      expect(await cachingOf(open, framework)).toEqual([`cache-control: ${value}`]);
    });

    it.each(['public, no-cache', 'private="x-a", max-age=5', 'public'])(
      'becomes private, with its cookie, in place of the %s of the framework',
      async (value) => {
        const framework: Framework = (nodeResponse) =>
          void nodeResponse.setHeader('cache-control', value).setHeader('set-cookie', 'a=1');
        expect(await cachingOf(open, framework)).toEqual([mark, `cdn-${mark}`]);
      },
    );
  });

  it('of an answer that is not for caches of others replaces that of the framework', async () => {
    const framework: Framework = (nodeResponse) => void nodeResponse.setHeader('cache-control', 'no-store');
    const headers = ['cache-control', 'max-age=5'];
    expect(await linesOf({ headers }, { framework })).toContain('cache-control: max-age=5');
  });

  it('of an answer for nobody else is stricter if the framework says so', async () => {
    const headers = ['cache-control', CACHE_DEFAULT];
    for (const [value, expected] of [
      ['no-store', 'no-store'],
      ['private, max-age=5', CACHE_DEFAULT],
    ] as const) {
      const framework: Framework = (nodeResponse) => void nodeResponse.setHeader('cache-control', value);
      expect(await linesOf({ headers }, { framework })).toContain(`cache-control: ${expected}`);
    }
  });

  it('is not added to a 304, which would change the stored answer', async () => {
    expect(await linesOf({ status: 304 })).not.toContain(mark);
  });
});

it('sends the length of the body instead of the one that the route has set', async () => {
  const headers = ['content-length', '99', 'x-last', '1'];
  const lines = await linesOf({ headers }, { length: 2 });
  expect(lines.filter((line) => line.startsWith('content-length'))).toEqual(['content-length: 2']);
});

describe('in a framework', () => {
  it('shows the headers to middleware that has patched writeHead', async () => {
    const framework: Framework = (nodeResponse) => {
      const { writeHead } = nodeResponse;
      nodeResponse.writeHead = (...args: unknown[]) => {
        nodeResponse.setHeader('x-seen', String(nodeResponse.getHeader('x-route')));
        return Reflect.apply(writeHead, nodeResponse, args);
      };
    };
    expect(await linesOf({ headers: ['x-route', 'a'] }, { framework })).toContain('x-seen: a');
  });

  it.each([
    ['Origin,Accept', 'accept,X-Shop', 'Origin, Accept, X-Shop'],
    ['Origin , Accept', 'Accept-Encoding , origin', 'Origin, Accept, Accept-Encoding'],
    [['Origin', 'Accept'], 'X-Shop', 'Origin, Accept, X-Shop'],
  ])('adds to its Vary %j the names of %j that it does not have', async (known, own, merged) => {
    const framework: Framework = (nodeResponse) => void nodeResponse.setHeader('vary', known);
    expect(await linesOf({ headers: ['vary', own] }, { framework })).toContain(`vary: ${merged}`);
  });

  it('keeps the Vary of a route when the framework has none', async () => {
    const lines = await linesOf({ headers: ['vary', 'Origin,Accept'] }, { framework: setsHeader });
    expect(lines).toContain('vary: Origin, Accept');
  });

  it('lets the route close the connection', async () => {
    const lines = await linesOf({ headers: ['connection', 'close', 'x-last', '1'] }, { framework: setsHeader });
    expect(lines).toEqual(expect.arrayContaining(['connection: close', 'x-last: 1']));
  });
});

it('writes an HTTP/2 head without what HTTP/2 does not have, which Node would warn about', async () => {
  const warn = vi.spyOn(process, 'emitWarning');
  const set: string[] = [];
  // Node warns about a name only once per process.
  class Recorded extends http2.Http2ServerResponse {
    override setHeader(name: string, value: number | string | readonly string[]): void {
      set.push(name);
      super.setHeader(name, value);
    }
  }
  const server = http2.createServer({ Http2ServerResponse: Recorded }, (_, nodeResponse) => {
    const headers = ['connection', 'close', 'content-type', 'text/plain', 'set-cookie', 'a=1', 'set-cookie', 'b=2'];
    writeHead({ status: 404, statusText: 'No such shop', headers }, nodeResponse, undefined);
    nodeResponse.end();
  });
  const [headers] = await askOverHttp2(await listen(server));
  expect(headers).toMatchObject({ ':status': 404, 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
  expect(set).not.toContain('connection');
  expect(warn.mock.calls.filter((call: unknown[]) => call[1] === 'UnsupportedWarning')).toEqual([]);
  warn.mockRestore();
});
