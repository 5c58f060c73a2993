import { expect } from 'vitest';
import { behaviour } from '../../behaviour.ts';
import { release, settled, signalled, signalNow, uniqueId } from '../signals.ts';

behaviour('sends the first part of a stream before the stream ends', 'adapters.md case 30', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/stream/gated?id=${id}`), headers: [host.hostHeader] });
  const head = await connection.head();
  expect(head.header('content-type')).toBe('text/event-stream');
  const pieces = connection.pieces(head);
  expect((await pieces.next()).value?.toString()).toBe('data: first\n\n');
  expect(await signalNow(host, `${id}-closed`)).toBe(null);
  await release(host, `${id}-second`);
  expect((await pieces.next()).value?.toString()).toMatch(/^data: second/);
  expect((await pieces.next()).done).toBe(true);
  connection.destroy();
});

behaviour('sends the head before the first part of a stream', 'adapters.md case 31', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/stream/gated?id=${id}&head`), headers: [host.hostHeader] });
  const head = await connection.head();
  expect(head.status).toBe(200);
  await release(host, `${id}-first`);
  await release(host, `${id}-second`);
  for await (const _ of connection.pieces(head));
  connection.destroy();
});

behaviour('keeps the request context inside a stream', 'adapters.md case 89', async (host) => {
  const id = uniqueId();
  await release(host, `${id}-second`);
  const text = await (await host.fetch(`/stream/gated?id=${id}`)).text();
  expect(text).toContain(`second ${host.origin}`);
});

behaviour('sends a stream that passed through a transform', 'Fetch BodyInit', async (host) => {
  expect(await (await host.fetch('/stream/text')).text()).toBe('one two three');
});

behaviour('sends an empty stream', 'adapters.md case 19', async (host) => {
  const response = await host.send({ path: '/stream/text?empty' });
  expect(response.status).toBe(200);
  expect(response.body.length).toBe(0);
});

behaviour('asks a stream for no more than a slow client takes', 'adapters.md case 33', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  connection.socket.pause();
  await connection.write({ target: host.target(`/stream/endless?id=${id}`), headers: [host.hostHeader] });
  await signalled(host, `${id}-produced`);
  const limit = 64 * 1024 * 1024;
  const produced = await settled(async () => Number(await signalNow(host, `${id}-produced`)), limit);
  connection.destroy();
  expect(produced).toBeLessThan(limit / 2);
});

behaviour('cancels the stream and aborts the signal when the client leaves', 'adapters.md case 35', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/stream/endless?id=${id}`), headers: [host.hostHeader] });
  await connection.pieces(await connection.head()).next();
  connection.destroy();
  await signalled(host, `${id}-cancelled`);
  await signalled(host, `${id}-aborted`);
});

behaviour('aborts the signal when the client leaves before the response', 'adapters.md case 37', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/request/signal?id=${id}`), headers: [host.hostHeader] });
  await signalled(host, `${id}-reached`);
  connection.destroy();
  expect(await signalled(host, `${id}-aborted`)).toBe('true');
});

behaviour('tells onError of abort listeners that fail, and goes on', 'docs/guide/errors.md', async (host) => {
  const server = await host.configured({ options: {} });
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

behaviour('cancels a response that comes after the client has left', 'adapters.md case 37', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/request/signal?id=${id}`), headers: [host.hostHeader] });
  await signalled(host, `${id}-reached`);
  connection.destroy();
  await signalled(host, `${id}-cancelled`);
});

behaviour('does not abort the signal of a request that has been read', 'adapters.md section 1.1', async (host) => {
  const id = uniqueId();
  const response = host.fetch(`/request/signal?reached=${id}&release=${id}-release`, { method: 'POST', body: 'text' });
  await signalled(host, id);
  await release(host, `${id}-release`);
  expect(await (await response).json()).toEqual({ aborted: false });
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

behaviour('breaks the connection off when a stream fails', 'adapters.md case 40, RFC 9112 section 8', async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/stream/broken?break=${id}`), headers: [host.hostHeader] });
  const pieces = connection.pieces(await connection.head());
  expect((await pieces.next()).value?.toString()).toBe('part one');
  await release(host, id);
  await expect(pieces.next()).rejects.toThrow('The connection closed');
  expect(connection.unread().toString()).not.toContain('secret');
  connection.destroy();
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour(
  'does not answer whole when a stream fails at once',
  { source: 'adapters.md case 41', needs: 'plainErrors' },
  async (host) => {
    const status = await host.send({ path: '/stream/broken?early' }).then(
      (response) => {
        expect(response.body.toString()).not.toContain('secret');
        return response.status;
      },
      () => 500,
    );
    expect(status).toBe(500);
    expect((await host.fetch('/hello')).status).toBe(200);
  },
);

behaviour('cancels the stream of an answer to HEAD', 'adapters.md case 22', async (host) => {
  const id = uniqueId();
  const response = await host.send({ method: 'HEAD', path: `/stream/endless?id=${id}` });
  expect(response.status).toBe(200);
  await signalled(host, `${id}-cancelled`);
});

behaviour('sends streams side by side', 'adapters.md case 30', async (host) => {
  const ids = Array.from({ length: 20 }, uniqueId);
  const connections = await Promise.all(ids.map(() => host.connect()));
  const bodies = await Promise.all(
    connections.map(async (connection, index) => {
      await connection.write({ target: host.target(`/stream/gated?id=${ids[index]}`), headers: [host.hostHeader] });
      const pieces = connection.pieces(await connection.head());
      await pieces.next();
      return pieces;
    }),
  );
  for (const [index, pieces] of [...bodies.entries()].toReversed()) {
    await release(host, `${ids[index]}-second`);
    expect((await pieces.next()).value?.toString()).toMatch(/^data: second/);
  }
  for (const connection of connections) connection.destroy();
});
