import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';
import type { Server } from '../server.ts';

/** Expects a 500 that reveals nothing about the thrown value. */
async function expectPlainError(server: Server, path: string, init?: RequestInit): Promise<void> {
  const response = await server.fetch(path, init);
  expect(response.status).toBe(500);
  expect((await response.text()) + JSON.stringify([...response.headers]) + response.statusText).not.toContain('secret');
}

behaviour(
  'answers 500 when a route throws',
  {
    quality: "a fault of the server is a 500 (RFC 9110 section 15.6.1), and its message is nobody else's",
    needsPlainErrors: true,
  },
  async (server) => {
    await expectPlainError(server, '/errors/throw');
  },
);

behaviour(
  'answers 500 when a route rejects',
  {
    quality: "a fault of the server is a 500 (RFC 9110 section 15.6.1), and its message is nobody else's",
    needsPlainErrors: true,
  },
  async (server) => {
    await expectPlainError(server, '/errors/throw', { method: 'POST' });
  },
);

behaviour(
  'answers 500 when a route throws what is no Error',
  { quality: 'JavaScript throws any value', needsPlainErrors: true },
  async (server) => {
    for (const value of ['text', 'undefined', 'null', 'object']) {
      await expectPlainError(server, `/errors/throw?value=${value}`);
    }
  },
);

behaviour(
  'answers the next request after an error',
  { quality: 'one fault must not end the server' },
  async (server) => {
    await server.fetch('/errors/throw');
    expect((await server.fetch('/hello')).status).toBe(200);
  },
);

behaviour(
  'answers the next request on the connection of an error',
  { standard: 'RFC 9112 section 9.3' },
  async (server) => {
    const connection = await server.connect();
    await connection.write({ target: server.target('/errors/throw'), headers: [server.hostHeader] });
    const failed = await connection.response();
    expect(failed.status).toBe(500);
    if (failed.header('connection') !== 'close') {
      await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
      expect((await connection.response()).status).toBe(200);
    }
    connection.destroy();
  },
);

behaviour(
  'answers the next request after a handler that gave no Response',
  { quality: 'one fault must not end the server' },
  async (server) => {
    for (const kind of ['undefined', 'null', 'object', 'text', 'number', 'error']) {
      // A server may answer anything, or break off.
      await server.fetch(`/response/invalid/${kind}`).catch(() => null);
      expect((await server.fetch('/hello')).status).toBe(200);
    }
  },
);
