import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';
import { release, settled, signalled, signalNow, uniqueId } from '../generic/signals.ts';

const source = 'HTML Standard section 9.2';

function pathOf(what: string, id: string): string {
  return `/stream/events?what=${what}&id=${id}`;
}

/** The output of a stream up to a given text. */
async function readUntil(pieces: AsyncIterator<Buffer>, text: string): Promise<string> {
  let read = '';
  while (!read.includes(text)) {
    const { value, done } = await pieces.next();
    if (done) throw new Error(`The stream has ended with ${JSON.stringify(read)}, without ${JSON.stringify(text)}.`);
    read += value.toString();
  }
  return read;
}

/** Opens an event stream. */
async function open(host: Host, path: string) {
  const connection = await host.connect();
  await connection.write({ target: host.target(path), headers: [host.hostHeader] });
  const head = await connection.head();
  return { connection, head, pieces: connection.pieces(head) };
}

behaviour('sends events as EventSource reads them', source, async (host) => {
  const id = uniqueId();
  await release(host, `${id}-second`);
  const response = await host.fetch(pathOf('gated', id));
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  const [comment, first, second, third, rest] = (await response.text()).split('\n\n');
  expect([comment, first, second, rest]).toEqual([
    ':',
    'event: order\nid: 1\nretry: 2000\ndata: {"text":"two\\nlines"}',
    'id: 2\ndata: two\ndata: lines',
    '',
  ]);
  // The helpers work inside the generator.
  expect(third).toBe(`data: ${host.origin}`);
});

behaviour('sends an event before the next one is made', source, async (host) => {
  const id = uniqueId();
  const { connection, pieces } = await open(host, pathOf('gated', id));
  expect(await readUntil(pieces, 'lines"}\n\n')).not.toContain('id: 2');
  await release(host, `${id}-second`);
  expect(await readUntil(pieces, 'data: lines\n\n')).toContain('id: 2');
  connection.destroy();
});

behaviour('gives the last id that a client has received', source, async (host) => {
  const ask = async (lastEventId?: string): Promise<string> => {
    const headers: [string, string][] = lastEventId === undefined ? [] : [['Last-Event-ID', lastEventId]];
    const { status, body } = await host.send({ path: pathOf('again', 'x'), headers });
    expect(status).toBe(200);
    return /^data: (.*)$/m.exec(body.toString())?.[1] ?? '';
  };
  expect(JSON.parse(await ask('order-7'))).toEqual({ lastEventId: 'order-7' });
  // As browsers send it.
  expect(JSON.parse(await ask(Buffer.from('café 漢').toString('latin1')))).toEqual({ lastEventId: 'café 漢' });
  expect(JSON.parse(await ask())).toEqual({ lastEventId: null });
});

behaviour('sends comments while there is no event', source, async (host) => {
  const id = uniqueId();
  const { connection, pieces } = await open(host, `${pathOf('waiting', id)}&beat=20`);
  await readUntil(pieces, 'data: first\n\n');
  expect(await readUntil(pieces, ':\n\n:\n\n')).toMatch(/^(?::\n\n)+$/);
  await release(host, `${id}-second`);
  await readUntil(pieces, 'data: second\n\n');
  connection.destroy();
});

behaviour('makes no more events than a slow client takes', 'issue 24, backpressure', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  connection.socket.pause();
  await connection.write({ target: host.target(pathOf('endless', id)), headers: [host.hostHeader] });
  await signalled(host, `${id}-produced`);
  const limit = 64 * 1024 * 1024;
  const produced = await settled(async () => Number(await signalNow(host, `${id}-produced`)), limit);
  connection.destroy();
  expect(produced).toBeLessThan(limit / 2);
});

behaviour('ends the source of events when the client leaves', 'issue 24, abort', async (host) => {
  const id = uniqueId();
  const { connection, pieces } = await open(host, pathOf('endless', id));
  await pieces.next();
  connection.destroy();
  await signalled(host, `${id}-finished`);
});

behaviour('ends a source that waits for its next event when the client leaves', 'issue 24, abort', async (host) => {
  const id = uniqueId();
  const { connection, pieces } = await open(host, pathOf('waiting', id));
  await readUntil(pieces, 'data: first\n\n');
  connection.destroy();
  await signalled(host, `${id}-finished`);
});

behaviour('ends a stream of events whose source fails, and tells the client nothing', 'issue 24', async (host) => {
  for (const [what, expected] of [
    ['fails', ':\n\ndata: first\n\n'],
    ['forges', ':\n\n'],
  ] as const) {
    expect(await (await host.fetch(pathOf(what, 'x'))).text()).toBe(expected);
  }
});

behaviour('tells onError of a source of events that fails', 'issue 24', async (host) => {
  const server = await host.configured(withOptions);
  const id = uniqueId();
  await (await server.fetch(pathOf('fails', id))).text();
  await server.waitForOutput(new RegExp(`onError: GET \\S+: secret cause ${id}`));
  await (await server.fetch(pathOf('forges', id))).text();
  await server.waitForOutput(/onError: GET \S+: The field id of an event is/);
});

behaviour('sends the head of a stream of events to HEAD, and makes none', 'RFC 9110 section 9.3.2', async (host) => {
  const id = uniqueId();
  const response = await host.fetch(pathOf('endless', id), { method: 'HEAD' });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await signalNow(host, `${id}-produced`)).toBe(null);
});
