import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { json } from '../generic/expect-json.ts';
import { signalled, uniqueId } from '../generic/signals.ts';

behaviour('gives each of 1,000 requests, 100 at a time, its own context', 'adapters.md case 87', async (host) => {
  // A hundred at a time: on some systems, the backlog of a listening socket holds fewer than a thousand connections.
  const ids = Array.from({ length: 1000 }, (_, id) => id).values();
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      let connection = await host.connect();
      for (const id of ids) {
        const origin = `https://shop-${id}.example`;
        const headers = [host.hostHeader, ['Origin', origin]] as const;
        await connection.write({ target: host.target(`/context/own?id=${id}`), headers });
        const response = await connection.response();
        expect(JSON.parse(response.body.toString())).toEqual({ id: String(id), origin, task: origin });
        expect(response.header('x-after-timer')).toBe(String(id));
        expect(response.header('x-after-microtask')).toBe(String(id));
        if (response.header('connection') !== 'close') continue;
        connection.destroy();
        connection = await host.connect();
      }
      connection.destroy();
    }),
  );
});

behaviour('gives each request an id of its own, which no client chooses', 'requestId()', async (host) => {
  const ask = async (): Promise<{ ids: string[]; task: string }> =>
    json(await host.fetch('/context/request-id', { headers: { 'x-request-id': 'of-the-client' } }));
  const [first, second] = await Promise.all([ask(), ask()]);
  for (const { ids, task } of [first, second]) {
    expect(ids).toEqual([task, task]);
    expect(task).toMatch(/^[\w-]{8,}/);
    expect(task).not.toContain('of-the-client');
  }
  expect(first.task).not.toBe(second.task);
});

behaviour('tells a route the address of the client, whatever the client says', 'clientAddress()', async (host) => {
  const addressOf = async (headers: Record<string, string>): Promise<unknown> =>
    (await json<{ address: unknown }>(await host.fetch('/context/client-address', { headers }))).address;
  const address = await addressOf({});
  expect(address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' };
  expect(await addressOf(forged)).toBe(address);
});

behaviour('knows the address of the client in a task, after the answer', 'clientAddress()', async (host) => {
  const id = uniqueId();
  const { address } = await json<{ address: string | null }>(await host.fetch('/context/client-address'));
  await (await host.fetch(`/context/client-address?id=${id}`, { method: 'POST' })).text();
  expect(await signalled(host, `${id}-address`)).toBe(String(address));
});

behaviour(
  'tells a route the address that a trusted proxy has added',
  { source: 'clientAddress()', needs: 'trustProxy' },
  async (host) => {
    const server = await host.configured({ options: { trustProxy: true } });
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect(await json(await server.fetch('/context/client-address', { headers }))).toEqual({ address: '198.51.100.7' });
  },
);

behaviour('refuses every helper outside a request, naming it', 'B10, adapters.md case 97', async (host) => {
  const refusals = await json<Record<string, string>>(await host.fetch('/context/outside'));
  expect(Object.keys(refusals)).toHaveLength(6);
  for (const [helper, refusal] of Object.entries(refusals)) {
    expect(refusal).toContain(helper);
    expect(refusal).toMatch(/outside (of )?a request/);
  }
});

behaviour('loads a route once for 50 first requests', 'adapters.md case 98', async (host) => {
  const server = await host.configured();
  const responses = await Promise.all(Array.from({ length: 50 }, () => server.fetch('/context/loads')));
  for (const response of responses) expect(await json(response)).toEqual({ loads: 1 });
});

behaviour('lets two copies of appkit-server work as one', 'B11', async (host) => {
  const response = await host.fetch('/context/copies', { headers: { origin: 'https://shop.example' } });
  expect(await json(response)).toEqual({ same: false, origin: ['https://shop.example', 'https://shop.example'] });
  expect(response.headers.get('x-copy')).toBe('yes');
});

behaviour('answers the StatusError of another copy of appkit-server', 'B11', async (host) => {
  const response = await host.fetch('/context/copies', { method: 'POST' });
  expect([response.status, await response.json()]).toEqual([418, { error: 'thrown by the other copy' }]);
});
