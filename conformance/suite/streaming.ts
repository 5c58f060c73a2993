import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import { release, signalled, signalNow, uniqueId } from '../generic/signals.ts';

behaviour('keeps the request context inside a stream', 'adapters.md case 89', async (host) => {
  const id = uniqueId();
  await release(host, id);
  expect(await (await host.fetch(`/stream/context?id=${id}`)).text()).toBe(host.origin);
});

behaviour('keeps the request context in each part of a stream', 'docs/guide/streams.md', async (host) => {
  for (const coding of ['identity', 'gzip']) {
    const response = await host.fetch('/stream/parts', { headers: { 'accept-encoding': coding } });
    const ids = (await response.text()).trim().split('\n');
    expect([new Set(ids).size, ids.length, ids[0]]).toEqual([1, 6, expect.stringMatching(/^\S{8,}$/)]);
  }
});

behaviour('tells onError of a stream that fails', 'docs/guide/streams.md', async (host) => {
  const server = await host.configured(withOptions);
  const id = uniqueId();
  // Whoever buffers answers sends none of it.
  await server.fetch(`/stream/fails?id=${id}`).then(
    (response) => response.text().catch(() => undefined),
    () => undefined,
  );
  const reported = new RegExp(`onError: GET \\S+: secret cause ${id}`, 'g');
  await server.waitForOutput(reported);
});

behaviour('tells onError of abort listeners that fail, and goes on', 'docs/guide/errors.md', async (host) => {
  const server = await host.configured(withOptions);
  const id = uniqueId();
  const connection = await server.connect();
  await connection.write({
    target: server.target(`/request/throwing-listener?id=${id}`),
    headers: [server.hostHeader],
  });
  await signalled(server, `${id}-reached`);
  connection.destroy();
  await signalled(server, `${id}-aborted`);
  for (const what of ['at once', 'later', 'by onabort']) {
    await server.waitForOutput(new RegExp(`onError: GET \\S+: ${what} ${id}`));
  }
  expect(await signalNow(server, `${id}-removed`)).toBeNull();
  expect((await server.fetch('/hello')).status).toBe(200);
});

behaviour('aborts a signal whose Request has been collected', 'adapters.md case 38', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({
    target: host.target(`/request/signal-after-collection?id=${id}`),
    headers: [host.hostHeader],
  });
  await connection.pieces(await connection.head()).next();
  await release(host, `${id}-collect`);
  await signalled(host, `${id}-collected`);
  connection.destroy();
  await signalled(host, `${id}-aborted`);
});

behaviour(
  'forgets answered requests to which a listener of their signal refers',
  'WHATWG DOM, AbortSignal',
  async (host) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
    for (const target of ['/request/kept', '/site/listening']) {
      for (let visit = 0; visit < 5; visit++) {
        const response = await host.fetch(target, { method: 'POST', body: 'a=b', headers: form });
        await response.text();
        expect(response.status).toBe(200);
      }
    }
    type Counts = { kept: number; answered: number };
    const ask = async (): Promise<Counts> => (await (await host.fetch('/request/kept')).json()) as Counts; // by that route
    let { kept, answered } = await ask();
    expect(answered).toBeGreaterThan(0);
    // A host may keep the last one, with its copies. And Bun takes for a reference what a stack happens to hold: each request has another.
    for (let asked = 1; kept >= 4 && asked < 20; asked++) ({ kept, answered } = await ask());
    expect(kept).toBeLessThan(4);
  },
);

behaviour('survives a filled stream of which nobody reads more than the head', 'docs/guide/errors.md', async (host) => {
  const id = uniqueId();
  expect((await host.fetch(`/stream/filled?id=${id}`, { method: 'HEAD' })).status).toBe(200);
  await signalled(host, `${id}-closed`);
  expect(await (await host.fetch(`/stream/filled?id=${id}`)).text()).toBe('id,name\n1,Ada\n');
});

behaviour('survives a filled stream that is made after the client has left', 'docs/guide/errors.md', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/stream/filled?id=${id}&wait`), headers: [host.hostHeader] });
  await signalled(host, `${id}-called`);
  connection.destroy();
  await release(host, `${id}-go`);
  await signalled(host, `${id}-closed`);
  expect(await (await host.fetch(`/stream/filled?id=${id}`)).text()).toBe('id,name\n1,Ada\n');
});
