import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { behaviour } from '../../behaviour.ts';

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

behaviour('sends a string with its type and length', 'adapters.md case 16', async (host) => {
  const response = await host.send({ path: '/response/body/string' });
  expect(response.header('content-type')?.toLowerCase()).toBe('text/plain;charset=utf-8');
  expect(response.header('content-length')).toBe('6');
  expect(response.body.toString()).toBe('héllo');
});

behaviour('sends JSON with its length', 'RFC 9110 section 8.6', async (host) => {
  const response = await host.send({ path: '/response/body/json' });
  expect(Number(response.header('content-length'))).toBe(Buffer.byteLength('{"text":"héllo"}'));
});

behaviour('sends Response.json with the media type of the standard', 'Fetch Response.json', async (host) => {
  const response = await host.send({ path: '/response/body/json' });
  expect(response.header('content-type')).toBe('application/json');
});

behaviour('sends bytes as they are, with their length', 'adapters.md case 28', async (host) => {
  const response = await host.send({ path: '/response/body/bytes' });
  expect(response.header('content-length')).toBe('256');
  expect(response.body.equals(allBytes)).toBe(true);
});

behaviour('invents no content-type for bytes', 'adapters.md case 17', async (host) => {
  expect((await host.send({ path: '/response/body/bytes' })).header('content-type')).toBe(null);
});

behaviour('invents no content-type for a stream', 'adapters.md case 17', async (host) => {
  expect((await host.send({ path: '/stream/text' })).header('content-type')).toBe(null);
});

behaviour('sends an ArrayBuffer', 'Fetch BodyInit', async (host) => {
  expect((await host.send({ path: '/response/body/buffer' })).body.equals(allBytes)).toBe(true);
});

behaviour('sends only the viewed part of a buffer', 'Fetch BodyInit', async (host) => {
  expect((await host.send({ path: '/response/body/view' })).body.equals(allBytes.subarray(16, 32))).toBe(true);
});

behaviour('sends a Blob with its type', 'adapters.md case 18', async (host) => {
  const response = await host.send({ path: '/response/body/blob' });
  expect(response.header('content-type')).toBe('text/x-blob');
  expect(response.body.toString()).toBe('blob');
});

behaviour('sends URLSearchParams with their type', 'adapters.md case 18', async (host) => {
  const response = await host.send({ path: '/response/body/params' });
  expect(response.header('content-type')?.toLowerCase()).toBe('application/x-www-form-urlencoded;charset=utf-8');
  expect(response.body.toString()).toBe('a=1&b=two+words');
});

behaviour('sends FormData with the boundary it uses', 'adapters.md case 18', async (host) => {
  const form = await (await host.fetch('/response/body/form')).formData();
  expect(form.get('field')).toBe('value');
  expect(await (form.get('file') as File).text()).toBe('content');
});

behaviour('sends no body and no type for null', 'adapters.md case 19', async (host) => {
  const response = await host.send({ path: '/response/body/null' });
  expect(response.status).toBe(200);
  expect(response.body.length).toBe(0);
  expect(response.header('content-type')).toBe(null);
});

behaviour('sends an empty string with length 0', 'adapters.md case 19', async (host) => {
  const response = await host.send({ path: '/response/body/empty-string' });
  expect(response.header('content-length')).toBe('0');
});

behaviour('sends 204 without a body or a length', 'adapters.md case 20, RFC 9110 section 8.6', async (host) => {
  const connection = await host.connect();
  const request = { headers: [host.hostHeader] };
  await connection.write({ ...request, target: host.target('/response/status/204') });
  const response = await connection.response();
  expect(response.status).toBe(204);
  expect(response.values('content-length')).toEqual([]);
  expect(response.values('transfer-encoding')).toEqual([]);
  await connection.write({ ...request, target: host.target('/hello') });
  expect((await connection.response()).status).toBe(200);
  connection.destroy();
});

behaviour(
  'sends 304 without a body but with its validators',
  'adapters.md case 20, RFC 9110 section 15.4.5',
  async (host) => {
    const connection = await host.connect();
    const request = { headers: [host.hostHeader] };
    await connection.write({ ...request, target: host.target('/response/status/304') });
    const response = await connection.response();
    expect(response.status).toBe(304);
    expect(response.header('etag')).toBe('"v1"');
    expect(response.values('transfer-encoding')).toEqual([]);
    await connection.write({ ...request, target: host.target('/hello') });
    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  },
);

behaviour('answers 500 to a body where the status allows none', 'adapters.md case 21', async (host) => {
  expect((await host.fetch('/response/status/204', { method: 'POST' })).status).toBe(500);
  expect((await host.fetch('/response/status/304', { method: 'POST' })).status).toBe(500);
});

behaviour('answers HEAD with the content-length its handler gives', 'RFC 9110 section 9.3.2', async (host) => {
  const connection = await host.connect();
  await connection.write({ method: 'HEAD', target: host.target('/response/length'), headers: [host.hostHeader] });
  const response = await connection.response('HEAD');
  expect(response.header('content-length')).toBe('11');
  expect(response.header('x-head')).toBe('yes');
  await connection.write({ target: host.target('/hello'), headers: [host.hostHeader] });
  expect((await connection.response()).status).toBe(200);
  connection.destroy();
});

behaviour("keeps a route's own content-length on a stream", 'adapters.md case 24', async (host) => {
  const response = await host.send({ path: '/response/length' });
  expect(response.framing).toBe('content-length');
  expect(response.body.toString()).toBe('eleven byte');
});

behaviour(
  'never sends more than the content-length says',
  'adapters.md case 25, RFC 9112 section 6.3',
  async (host) => {
    const connection = await host.connect();
    await connection.write({ method: 'POST', target: host.target('/response/length'), headers: [host.hostHeader] });
    const answer = await connection.response().catch(() => null);
    // a host may break off, cut the body, or send all of it with a length that is right
    if (answer?.status === 200) {
      expect(['ab', 'abHTTP/1.1 200 OK\r\n\r\n']).toContain(answer.body.toString());
      await connection.write({ target: host.target('/hello'), headers: [host.hostHeader] }).catch(() => {});
      const next = await connection.response().catch(() => null);
      // stray bytes would be read as this answer
      if (next !== null) expect(next.body.toString()).toBe('{"hello":"world"}');
    }
    connection.destroy();
  },
);

behaviour('leaves a coded body alone', 'adapters.md case 27', async (host) => {
  const response = await host.send({ path: '/response/body/coded', headers: [['Accept-Encoding', 'gzip, br']] });
  expect(response.header('content-encoding')).toBe('gzip');
  expect([...response.body]).toEqual([0x1f, 0x8b, 0x08]);
});

behaviour('sends a 16 MiB stream whole', 'adapters.md case 29', async (host) => {
  const expected = createHash('sha256');
  for (let piece = 0; piece < 256; piece += 1) expected.update(Buffer.alloc(64 * 1024, piece));
  const received = createHash('sha256').update(Buffer.from(await (await host.fetch('/response/large')).arrayBuffer()));
  expect(received.digest('hex')).toBe(expected.digest('hex'));
});
