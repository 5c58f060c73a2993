import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';
import { release, settled, signalled, signalNow, uniqueId } from '../signals.ts';

behaviour(
  'sends the first part of a stream before the stream ends',
  { quality: 'a stream is there to be sent early' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({ target: server.target(`/stream/gated?id=${id}`), headers: [server.hostHeader] });
    const head = await connection.head();
    expect(head.header('content-type')).toMatch(/^text\/event-stream/);
    const pieces = connection.pieces(head);
    expect((await pieces.next()).value?.toString()).toBe('data: first\n\n');
    expect(await signalNow(server, `${id}-closed`)).toBe(null);
    await release(server, `${id}-second`);
    expect((await pieces.next()).value?.toString()).toMatch(/^data: second/);
    expect((await pieces.next()).done).toBe(true);
    connection.destroy();
  },
);

behaviour(
  'sends the head before the first part of a stream',
  { quality: 'a client waits for the head of an event stream' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({ target: server.target(`/stream/gated?id=${id}&head`), headers: [server.hostHeader] });
    const head = await connection.head();
    expect(head.status).toBe(200);
    await release(server, `${id}-first`);
    await release(server, `${id}-second`);
    for await (const _ of connection.pieces(head));
    connection.destroy();
  },
);

behaviour('sends a stream that passed through a transform', { standard: 'Fetch, extract a body' }, async (server) => {
  expect(await (await server.fetch('/stream/text')).text()).toBe('one two three');
});

behaviour('sends an empty stream', { standard: 'Fetch, extract a body' }, async (server) => {
  const response = await server.send({ path: '/stream/text?empty' });
  expect(response.status).toBe(200);
  expect(response.body.length).toBe(0);
});

behaviour(
  'asks a stream for no more than a slow client takes',
  { quality: 'otherwise a slow client fills the memory' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    connection.socket.pause();
    await connection.write({ target: server.target(`/stream/endless?id=${id}`), headers: [server.hostHeader] });
    await signalled(server, `${id}-produced`);
    const limit = 64 * 1024 * 1024;
    const produced = await settled(async () => Number(await signalNow(server, `${id}-produced`)), limit);
    connection.destroy();
    // The kernel alone may hold tens of megabytes on the way. A host that does not wait takes all.
    expect(produced).toBeLessThan(limit);
  },
);

behaviour(
  'cancels the stream and aborts the signal when the client leaves',
  { quality: 'otherwise the work goes on for nobody' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({ target: server.target(`/stream/endless?id=${id}`), headers: [server.hostHeader] });
    await connection.pieces(await connection.head()).next();
    connection.destroy();
    await signalled(server, `${id}-cancelled`);
    await signalled(server, `${id}-aborted`);
  },
);

behaviour(
  'aborts the signal when the client leaves before the response',
  { quality: 'otherwise the work goes on for nobody' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({ target: server.target(`/request/signal?id=${id}`), headers: [server.hostHeader] });
    await signalled(server, `${id}-reached`);
    connection.destroy();
    expect(await signalled(server, `${id}-aborted`)).toBe('true');
  },
);

behaviour(
  'cancels a response that comes after the client has left',
  { quality: 'otherwise the work goes on for nobody' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({ target: server.target(`/request/signal?id=${id}`), headers: [server.hostHeader] });
    await signalled(server, `${id}-reached`);
    connection.destroy();
    await signalled(server, `${id}-cancelled`);
  },
);

behaviour(
  'does not abort the signal of a request that has been read',
  { quality: 'the client still waits' },
  async (server) => {
    const id = uniqueId();
    const response = server.fetch(`/request/signal?reached=${id}&release=${id}-release`, {
      method: 'POST',
      body: 'text',
    });
    await signalled(server, id);
    await release(server, `${id}-release`);
    expect(await (await response).json()).toEqual({ aborted: false });
  },
);

behaviour('breaks the connection off when a stream fails', { standard: 'RFC 9112 section 8' }, async (server) => {
  const id = uniqueId();
  const connection = await server.connect();
  await connection.write({ target: server.target(`/stream/broken?break=${id}`), headers: [server.hostHeader] });
  const pieces = connection.pieces(await connection.head());
  expect((await pieces.next()).value?.toString()).toBe('part one');
  await release(server, id);
  const failure = await pieces.next().catch(String);
  expect(failure).toContain('The connection closed');
  expect(connection.unread().toString()).not.toContain('secret');
  connection.destroy();
  expect((await server.fetch('/hello')).status).toBe(200);
});

behaviour(
  'does not answer whole when a stream fails at once',
  { standard: 'RFC 9112 section 8', needsPlainErrors: true },
  async (server) => {
    const status = await server.send({ path: '/stream/broken?early' }).then(
      (response) => {
        expect(response.body.toString()).not.toContain('secret');
        return response.status;
      },
      () => 500,
    );
    expect(status).toBe(500);
    expect((await server.fetch('/hello')).status).toBe(200);
  },
);

behaviour(
  'cancels the stream of an answer to HEAD',
  { quality: 'otherwise the work goes on for nobody' },
  async (server) => {
    const id = uniqueId();
    const response = await server.send({ method: 'HEAD', path: `/stream/endless?id=${id}` });
    expect(response.status).toBe(200);
    await signalled(server, `${id}-cancelled`);
  },
);

behaviour('sends streams side by side', { quality: 'several clients wait at the same time' }, async (server) => {
  const ids = Array.from({ length: 20 }, uniqueId);
  const connections = await Promise.all(ids.map(() => server.connect()));
  const bodies = await Promise.all(
    connections.map(async (connection, index) => {
      await connection.write({ target: server.target(`/stream/gated?id=${ids[index]}`), headers: [server.hostHeader] });
      const pieces = connection.pieces(await connection.head());
      await pieces.next();
      return pieces;
    }),
  );
  for (const [index, pieces] of [...bodies.entries()].toReversed()) {
    await release(server, `${ids[index]}-second`);
    expect((await pieces.next()).value?.toString()).toMatch(/^data: second/);
  }
  for (const connection of connections) connection.destroy();
});

behaviour(
  'keeps the request readable while its stream is sent',
  { quality: 'a stream may be made from the request' },
  async (server) => {
    const id = uniqueId();
    await release(server, `${id}-second`);
    const text = await (await server.fetch(`/stream/gated?id=${id}`)).text();
    expect(text).toBe(`data: first\n\ndata: second ${server.origin}\n\n`);
  },
);
