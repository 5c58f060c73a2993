import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';
import { release, signalled, signalNow, uniqueId } from '../generic/signals.ts';

const run = 'Runtime helper library: runTask';
const defer = 'Runtime helper library: deferTask';

async function expectUnchanged(host: Host, path: string, method: string): Promise<void> {
  const response = await host.fetch(path, { method });
  expect([response.status, await response.text()]).toEqual([201, 'answered']);
  expect((await host.fetch('/hello')).status).toBe(200);
}

/** Resolves when the server accepts no connection any more. */
async function refused(host: Host): Promise<void> {
  for (;;) {
    const connection = await host.connect().catch(() => undefined);
    if (connection === undefined) return;
    connection.destroy();
  }
}

behaviour('starts a task at once', `${run}, B8`, async (host) => {
  expect(await (await host.fetch(`/tasks/run?id=${uniqueId()}`)).text()).toBe('task started first');
});

behaviour('does not delay the response by a task', run, async (host) => {
  const id = uniqueId();
  const response = await host.fetch(`/tasks/run?id=${id}`, { method: 'POST' });
  expect(await response.text()).toBe('did not wait');
  expect(await signalNow(host, `${id}-done`)).toBe(null);
  await release(host, `${id}-release`);
  await signalled(host, `${id}-done`);
});

behaviour('answers unchanged when a task rejects', 'B8', async (host) => {
  await expectUnchanged(host, '/tasks/run', 'PUT');
});

behaviour('answers unchanged when a task throws', 'B8', async (host) => {
  await expectUnchanged(host, '/tasks/run', 'DELETE');
});

behaviour('reports a task that rejects to onError', 'B8', async (host) => {
  const server = await host.configured(withOptions);
  await expectUnchanged(server, '/tasks/run', 'PUT');
  await server.waitForOutput(/onError: PUT \S+\/tasks\/run: task rejected/);
});

behaviour('reports a task that throws to onError', 'B8', async (host) => {
  const server = await host.configured(withOptions);
  await expectUnchanged(server, '/tasks/run', 'DELETE');
  await server.waitForOutput(/onError: DELETE \S+\/tasks\/run: task threw/);
});

behaviour('runs tasks of the middleware', run, async (host) => {
  const id = uniqueId();
  await host.fetch(`/middleware?middleware=task&id=${id}`);
  await signalled(host, id);
});

behaviour('lets a task start a task', 'B8', async (host) => {
  const id = uniqueId();
  await host.fetch(`/tasks/context?id=${id}`, { method: 'POST' });
  expect(await signalled(host, `${id}-inner`)).toBe(host.origin);
});

behaviour('does not start a deferred task before the route has resolved', `${defer}, B9`, async (host) => {
  const id = uniqueId();
  const response = host.fetch(`/tasks/defer?id=${id}`);
  await signalled(host, `${id}-waiting`);
  expect(await signalNow(host, `${id}-started`)).toBe(null);
  await release(host, `${id}-release`);
  expect(await (await response).text()).toBe('resolved');
  await signalled(host, `${id}-started`);
});

behaviour('starts a deferred task after a thrown Response', 'B9', async (host) => {
  const id = uniqueId();
  expect((await host.fetch(`/tasks/defer?id=${id}&end=response`, { method: 'POST' })).status).toBe(409);
  await signalled(host, `${id}-started`);
});

behaviour('starts a deferred task after a StatusError', 'B9', async (host) => {
  const id = uniqueId();
  expect((await host.fetch(`/tasks/defer?id=${id}&end=status-error`, { method: 'POST' })).status).toBe(418);
  await signalled(host, `${id}-started`);
});

behaviour('does not start a deferred task after an unhandled error', 'B9', async (host) => {
  const id = uniqueId();
  expect((await host.fetch(`/tasks/defer?id=${id}&end=error`, { method: 'POST' })).status).toBe(500);
  // by the time a later request's task has run, this one would have run
  const later = uniqueId();
  await host.fetch(`/tasks/defer?id=${later}&end=return`, { method: 'POST' });
  await signalled(host, `${later}-started`);
  expect(await signalNow(host, `${id}-started`)).toBe(null);
});

behaviour('answers unchanged when a deferred task rejects', 'B9', async (host) => {
  await expectUnchanged(host, '/tasks/defer', 'PUT');
});

behaviour('answers unchanged when a deferred task throws', 'B9', async (host) => {
  await expectUnchanged(host, '/tasks/defer', 'DELETE');
});

behaviour('reports a deferred task that rejects to onError', 'B9', async (host) => {
  const server = await host.configured(withOptions);
  await expectUnchanged(server, '/tasks/defer', 'PUT');
  await server.waitForOutput(/onError: PUT \S+\/tasks\/defer: deferred task rejected/);
});

behaviour('reports a deferred task that throws to onError', 'B9', async (host) => {
  const server = await host.configured(withOptions);
  await expectUnchanged(server, '/tasks/defer', 'DELETE');
  await server.waitForOutput(/onError: DELETE \S+\/tasks\/defer: deferred task threw/);
});

behaviour('keeps origin() and environment() in a deferred task', 'B9, adapters.md case 90', async (host) => {
  const id = uniqueId();
  await host.fetch(`/tasks/context?id=${id}`, { headers: { origin: 'https://shop.example' } });
  expect(JSON.parse(await signalled(host, id))).toMatchObject({ origin: 'https://shop.example', environment: null });
});

behaviour('gives a task after the answer the whole body or an error', 'B9, Fetch Body.text', async (host) => {
  const id = uniqueId();
  const response = await host.send({
    method: 'POST',
    path: `/tasks/late-body?id=${id}`,
    headers: [
      ['Content-Type', 'application/x-conformance'],
      ['Content-Length', '4'],
    ],
    body: 'late',
  });
  expect(response.body.toString()).toBe('answered');
  expect(['read late', 'failed']).toContain(await signalled(host, id));
});

behaviour('refuses setResponseHeaders in a deferred task', 'B9', async (host) => {
  const id = uniqueId();
  const response = await host.fetch(`/tasks/context?id=${id}`);
  expect(response.headers.get('x-late')).toBe(null);
  const { refusal } = JSON.parse(await signalled(host, id)) as { refusal: string };
  expect(refusal).toContain('setResponseHeaders');
  expect(refusal).toMatch(/already been sent/);
});

behaviour('finishes tasks before it stops', { source: 'B8, adapters.md case 93', needs: 'shutdown' }, async (host) => {
  await using server = await host.start();
  await server.fetch('/tasks/shutdown');
  await server.waitForOutput(/deferred task waiting/);
  const { code, output } = await server.stop();
  expect(output).toContain('run task finished');
  expect(output).toContain('deferred task finished');
  expect(code).toBe(0);
});

behaviour('finishes requests before it stops', { source: 'adapters.md case 100', needs: 'shutdown' }, async (host) => {
  await using server = await host.start();
  const response = server.fetch('/tasks/shutdown', { method: 'POST' });
  await server.waitForOutput(/request waiting/);
  const stopped = server.stop();
  expect(await (await response).text()).toBe('finished all the same');
  expect((await stopped).code).toBe(0);
});

behaviour(
  'finishes a stream before it stops, and takes no connection meanwhile',
  { source: 'Operations: shutdown', needs: 'shutdown' },
  async (host) => {
    await using server = await host.start();
    const connection = await server.connect();
    const headers = [
      server.hostHeader,
      ['Content-Type', 'application/x-conformance'],
      ['Content-Length', '9'],
    ] as const;
    await connection.write({ method: 'PATCH', target: server.target('/tasks/shutdown'), headers, body: 'and ' });
    const pieces = connection.pieces(await connection.head());
    const begun = await pieces.next();
    const stopped = server.stop();
    await refused(server);
    await connection.write('ended');
    let text = String(begun.value);
    for await (const piece of pieces) text += String(piece);
    expect(text).toBe('begun, and ended');
    expect((await stopped).code).toBe(0);
  },
);

behaviour(
  'gives up what does not end, and says so by its exit code',
  { source: 'Operations: shutdown', needs: 'shutdown' },
  async (host) => {
    await using server = await host.start();
    const response = server.fetch('/tasks/shutdown', { method: 'PUT' }).catch(() => 'cut off');
    await server.waitForOutput(/request without end/);
    const startedAt = performance.now();
    expect((await server.stop()).code).toBe(1);
    expect(performance.now() - startedAt).toBeGreaterThan(9000);
    expect(await response).toBe('cut off');
  },
);
