import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import { loadCertificate } from './certificate.ts';
import type { Certificate } from './certificate.ts';
import { createUpgradableServer } from './upgradable-server.ts';

const isKnown = ({ headers }: IncomingMessage): boolean => headers.upgrade === 'known';

/** Starts one that tells what it has received. */
async function start(asksFirst: boolean, certificate?: Certificate): Promise<Server> {
  const server = createUpgradableServer(certificate, isKnown);
  // What Node does until 24.9, which has no such property.
  if (!asksFirst) Object.assign(server, { shouldUpgradeCallback: () => true });
  server.on('request', async (request, response) => {
    const { headers, method, url } = request;
    response.end(JSON.stringify([method, url, (await text(request)).length, headers]));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    if (isKnown(request)) socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

/** Sends requests, each after the answer to the one before, and returns all that comes until the server closes the connection. */
async function send(server: Server, requests: string[], certificate?: Certificate): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = certificate
    ? connectSecurely({ host: '127.0.0.1', port, servername: 'localhost', ca: certificate.cert })
    : connect(port, '127.0.0.1');
  let told = '';
  for (const [index, request] of requests.entries()) {
    socket.write(request);
    if (index < requests.length - 1) told += String(await once(socket, 'data'));
  }
  return told + (await text(socket));
}

const offer = 'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

it.each([true, false])(
  'ignores an offer that it does not know, also in a request with a body, before another (Node asks first: %s)',
  async (asksFirst) => {
    const server = await start(asksFirst);
    const body = 'x'.repeat(300_000);
    const post = `POST /first?a=b HTTP/1.1\r\n${offer}X-Own: é\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const told = await send(server, [post, last]);
    expect(told.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(told).toContain('["POST","/first?a=b",300000,');
    expect(told).toMatch(/"x-own":"Ã/);
    expect(told).toContain('["GET","/last",0,');
  },
);

it('does so over https', async () => {
  await using app = await createTemporaryApp({ 'package.json': '{}' });
  const certificate = await loadCertificate(app.folder, { https: true });
  const server = await start(false, certificate);
  const told = await send(server, [`GET /first HTTP/1.1\r\n${offer}\r\n`, last], certificate);
  expect(told).toContain('["GET","/first",0,');
  expect(told).toContain('["GET","/last",0,');
});

it('closes the connection after a request that asks for it', async () => {
  const server = await start(false);
  const head = 'GET /first HTTP/1.1\r\nHost: a\r\nConnection: close, x-upgrade-me, Upgrade\r\nUpgrade: h2c\r\n\r\n';
  const told = await send(server, [head]);
  expect(told).toContain('["GET","/first",0,');
  expect(told).toContain('"connection":"close, x-upgrade-me"');
});

it.each([true, false])('leaves an offer that it knows to the listeners (Node asks first: %s)', async (asksFirst) => {
  const server = await start(asksFirst);
  const head = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: known\r\n\r\n';
  expect(await send(server, [head])).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\n');
});
