import { createHash } from 'node:crypto';
import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

behaviour(
  'sends a string with its type and length',
  { quality: 'a length should be sent when it is known (RFC 9110 section 8.6)' },
  async (server) => {
    const response = await server.send({ path: '/response/body/string' });
    expect(response.header('content-type')).toMatch(/^text\/plain; ?charset=utf-8$/i);
    expect(response.header('content-length')).toBe('6');
    expect(response.body.toString()).toBe('héllo');
  },
);

behaviour(
  'sends JSON with its length',
  { quality: 'a length should be sent when it is known (RFC 9110 section 8.6)' },
  async (server) => {
    const response = await server.send({ path: '/response/body/json' });
    expect(Number(response.header('content-length'))).toBe(Buffer.byteLength('{"text":"héllo"}'));
  },
);

behaviour(
  'sends Response.json with the media type of the standard',
  { standard: 'Fetch, Response.json()' },
  async (server) => {
    const response = await server.send({ path: '/response/body/json' });
    expect(response.header('content-type')).toBe('application/json');
  },
);

behaviour(
  'sends bytes as they are, with their length',
  { quality: 'a length should be sent when it is known (RFC 9110 section 8.6)' },
  async (server) => {
    const response = await server.send({ path: '/response/body/bytes' });
    expect(response.header('content-length')).toBe('256');
    expect(response.body.equals(allBytes)).toBe(true);
  },
);

behaviour(
  'invents no content-type for bytes',
  { quality: 'Fetch gives such a body no type, and a wrong one is worse than none' },
  async (server) => {
    expect((await server.send({ path: '/response/body/bytes' })).header('content-type')).toBe(null);
  },
);

behaviour(
  'invents no content-type for a stream',
  { quality: 'Fetch gives such a body no type, and a wrong one is worse than none' },
  async (server) => {
    expect((await server.send({ path: '/stream/text' })).header('content-type')).toBe(null);
  },
);

behaviour('sends an ArrayBuffer', { standard: 'Fetch, extract a body' }, async (server) => {
  expect((await server.send({ path: '/response/body/buffer' })).body.equals(allBytes)).toBe(true);
});

behaviour('sends only the viewed part of a buffer', { standard: 'Fetch, extract a body' }, async (server) => {
  expect((await server.send({ path: '/response/body/view' })).body.equals(allBytes.subarray(16, 32))).toBe(true);
});

behaviour('sends a Blob with its type', { standard: 'Fetch, extract a body' }, async (server) => {
  const response = await server.send({ path: '/response/body/blob' });
  expect(response.header('content-type')).toBe('text/x-blob');
  expect(response.body.toString()).toBe('blob');
});

behaviour('sends URLSearchParams with their type', { standard: 'Fetch, extract a body' }, async (server) => {
  const response = await server.send({ path: '/response/body/params' });
  expect(response.header('content-type')).toMatch(/^application\/x-www-form-urlencoded; ?charset=utf-8$/i);
  expect(response.body.toString()).toBe('a=1&b=two+words');
});

behaviour('sends FormData with the boundary it uses', { standard: 'Fetch, extract a body' }, async (server) => {
  const form = await (await server.fetch('/response/body/form')).formData();
  expect(form.get('field')).toBe('value');
  expect(await (form.get('file') as File).text()).toBe('content');
});

behaviour('sends no body and no type for null', { standard: 'Fetch, new Response()' }, async (server) => {
  const response = await server.send({ path: '/response/body/null' });
  expect(response.status).toBe(200);
  expect(response.body.length).toBe(0);
  expect(response.header('content-type')).toBe(null);
});

behaviour(
  'sends an empty string with length 0',
  { quality: 'a length should be sent when it is known (RFC 9110 section 8.6)' },
  async (server) => {
    const response = await server.send({ path: '/response/body/empty-string' });
    expect(response.header('content-length')).toBe('0');
  },
);

behaviour(
  'sends 204 without a body or a length',
  { standard: 'RFC 9110 section 8.6, RFC 9112 section 6.1' },
  async (server) => {
    const connection = await server.connect();
    const request = { headers: [server.hostHeader] };
    await connection.write({ ...request, target: server.target('/response/status/204') });
    const response = await connection.response();
    expect(response.status).toBe(204);
    expect(response.values('content-length')).toEqual([]);
    expect(response.values('transfer-encoding')).toEqual([]);
    await connection.write({ ...request, target: server.target('/hello') });
    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  },
);

behaviour(
  'sends 304 without a body but with its validators',
  { standard: 'RFC 9110 section 15.4.5' },
  async (server) => {
    const connection = await server.connect();
    const request = { headers: [server.hostHeader] };
    await connection.write({ ...request, target: server.target('/response/status/304') });
    const response = await connection.response();
    expect(response.status).toBe(304);
    expect(response.header('etag')).toBe('"v1"');
    expect(response.values('transfer-encoding')).toEqual([]);
    await connection.write({ ...request, target: server.target('/hello') });
    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  },
);

behaviour(
  'answers 500 to a body where the status allows none',
  { quality: 'Fetch refuses to make such a Response' },
  async (server) => {
    expect((await server.fetch('/response/status/204', { method: 'POST' })).status).toBe(500);
    expect((await server.fetch('/response/status/304', { method: 'POST' })).status).toBe(500);
  },
);

behaviour(
  'answers HEAD with the content-length its handler gives',
  { quality: 'a HEAD should say what a GET would (RFC 9110 section 9.3.2)' },
  async (server) => {
    const connection = await server.connect();
    await connection.write({ method: 'HEAD', target: server.target('/response/length'), headers: [server.hostHeader] });
    const response = await connection.response('HEAD');
    expect(response.header('content-length')).toBe('11');
    expect(response.header('x-head')).toBe('yes');
    await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  },
);

behaviour(
  "keeps a route's own content-length on a stream",
  { quality: 'clients show progress by it' },
  async (server) => {
    const response = await server.send({ path: '/response/length' });
    expect(response.framing).toBe('content-length');
    expect(response.body.toString()).toBe('eleven byte');
  },
);

behaviour('never sends more than the content-length says', { standard: 'RFC 9112 section 6.3' }, async (server) => {
  const connection = await server.connect();
  await connection.write({ method: 'POST', target: server.target('/response/length'), headers: [server.hostHeader] });
  const answer = await connection.response().catch(() => null);
  // a host may break off, truncate the body, or send all of it with a correct length
  if (answer?.status === 200) {
    expect(['ab', 'abHTTP/1.1 200 OK\r\n\r\n']).toContain(answer.body.toString());
    await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] }).catch(() => {});
    const next = await connection.response().catch(() => null);
    // stray bytes would be read as this answer
    if (next !== null) expect(next.body.toString()).toBe('{"hello":"world"}');
  }
  connection.destroy();
});

behaviour('leaves a coded body alone', { standard: 'RFC 9110 section 8.4' }, async (server) => {
  const response = await server.send({ path: '/response/body/coded', headers: [['Accept-Encoding', 'gzip, br']] });
  expect(response.header('content-encoding')).toBe('gzip');
  expect([...response.body]).toEqual([0x1f, 0x8b, 0x08]);
});

behaviour('sends a 16 MiB stream whole', { standard: 'RFC 9112 section 6' }, async (server) => {
  const expected = createHash('sha256');
  for (let piece = 0; piece < 256; piece += 1) expected.update(Buffer.alloc(64 * 1024, piece));
  const received = createHash('sha256').update(
    Buffer.from(await (await server.fetch('/response/large')).arrayBuffer()),
  );
  expect(received.digest('hex')).toBe(expected.digest('hex'));
});
