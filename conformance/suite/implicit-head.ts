import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { signalled, uniqueId } from '../generic/signals.ts';

const source = 'B1: implicitHead';

behaviour('answers HEAD from GET without a body when the app says so', source, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const connection = await server.connect();
  await connection.write({ method: 'HEAD', target: server.target('/any/path'), headers: [server.hostHeader] });
  const head = await connection.response('HEAD');
  expect(head.status).toBe(200);
  expect(head.header('x-own')).toBe('GET');
  expect(head.header('content-type')).toMatch(/^application\/json/);
  await connection.write({ target: server.target('/any/path'), headers: [server.hostHeader] });
  expect((await connection.response()).status).toBe(200);
  connection.destroy();
});

behaviour('gives HEAD the content-length of GET', 'RFC 9110 section 8.6', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const head = await server.send({ method: 'HEAD', path: '/any/path' });
  const get = await server.send({ path: '/any/path' });
  expect(Number(head.header('content-length'))).toBe(get.body.length);
});

behaviour('prefers an exported HEAD to GET', source, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.fetch('/own-head', { method: 'HEAD' });
  expect(response.headers.get('x-own')).toBe('HEAD');
});

behaviour('answers 405 to HEAD when there is no GET to answer from', source, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.fetch('/post', { method: 'HEAD' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});

behaviour('cancels the stream of a GET that answers HEAD', `${source}, adapters.md case 22`, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const id = uniqueId();
  expect((await server.send({ method: 'HEAD', path: `/stream?id=${id}` })).status).toBe(200);
  await signalled(server, id);
});
