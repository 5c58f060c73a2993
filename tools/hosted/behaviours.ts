import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Checks } from '../checks.ts';

/** A framework's build on a host, to be tested. */
export interface HostedServer {
  /** The prefix of each check: the framework and the host. */
  name: string;
  origin: string;
  /** The parts of {@link askHosted} to skip: the example has no route for them, or the host cannot do them. */
  without: ReadonlySet<Part>;
}

/** A part that an example may lack. */
export type Part = 'echo' | 'cookies' | 'stream' | 'abort' | 'assets';

/** A fuse: a check that takes this long on the slowest machine hangs. */
const LIMIT_MS = 120_000;

/** Tests pages, bodies, cookies, streams, redirects, unknown paths and files. */
export async function askHosted(checks: Checks, { name, origin, without }: HostedServer): Promise<void> {
  const get = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(origin + path, { redirect: 'manual', ...init });
  const check = async (what: string, work: () => Promise<void>, part?: Part): Promise<void> => {
    if (part === undefined || !without.has(part)) await checks.run(`${name}: ${what}`, work);
  };

  await check('renders its page', async () => {
    const page = await get('/');
    assert.deepEqual([page.status, page.headers.get('content-type')?.startsWith('text/html')], [200, true]);
    assert.match(await page.text(), /<h1[^>]*>Home at (?:<!-- -->)?\/<\/h1>/);
  });
  await check('answers 404 to an unknown path', async () => assert.equal((await get('/no/such')).status, 404));
  await check('redirects', async () => {
    const { status, headers } = await get('/away');
    assert.deepEqual([status, headers.get('location')], [302, '/']);
  });
  await check('serves a file', async () => assert.match(await (await get('/robots.txt')).text(), /^User-agent: \*/));
  await check(
    'serves what the page loads for a year',
    async () => {
      const page = await (await get('/')).text();
      const asset = /"\.?(\/[^"]+\.(?:js|css))"/.exec(page)?.[1] ?? assert.fail(`The page names no asset: ${page}`);
      const { status, headers } = await get(asset);
      assert.deepEqual([asset, status], [asset, 200]);
      assert.match(headers.get('cache-control') ?? '', /max-age=31536000/);
    },
    'assets',
  );
  await check(
    'receives a body byte by byte',
    async () => {
      const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const sent = await get('/echo', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/octet-stream' },
      });
      const expected = [...body].map((byte) => byte.toString(16)).join(' ');
      assert.deepEqual([sent.status, await sent.json()], [200, { method: 'POST', body: expected }]);
    },
    'echo',
  );
  await check(
    'receives and sets cookies',
    async () => {
      const answer = await get('/cookies', { headers: { cookie: 'theme=dark; b=1' } });
      assert.deepEqual(answer.headers.getSetCookie(), ['a=1; Path=/', 'b=2; Path=/']);
      assert.deepEqual(await answer.json(), { cookie: 'theme=dark; b=1' });
    },
    'cookies',
  );
  await check(
    'streams an answer part by part',
    async () => {
      const id = randomUUID();
      const reader = (await get(`/stream?id=${id}`)).body?.getReader();
      assert.equal(await readText(reader), 'first');
      await get(`/released?id=${id}`);
      assert.equal(await readText(reader), 'second');
    },
    'stream',
  );
  await check(
    'stops a stream whose client leaves',
    async () => {
      const id = randomUUID();
      const leave = new AbortController();
      const reader = (await get(`/stream?id=${id}`, { signal: leave.signal })).body?.getReader();
      assert.equal(await readText(reader), 'first');
      leave.abort();
      const until = Date.now() + LIMIT_MS;
      while (!(await hasLeft(id))) assert.ok(Date.now() < until, 'The stream went on after its client had left.');
    },
    'abort',
  );

  // Requested again: the server has not noticed yet.
  async function hasLeft(id: string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const answer = (await (await get(`/released?look&id=${id}`)).json()) as { hasLeft: boolean }; // of hosted-parts
    return answer.hasLeft;
  }
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<string> {
  const { value } = (await reader?.read()) ?? {};
  return new TextDecoder().decode(value);
}
