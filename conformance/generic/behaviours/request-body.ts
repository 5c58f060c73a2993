import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';
import { json } from '../expect-json.ts';
import { randomBytes } from '../random-bytes.ts';
import { release, settled, signalled, signalNow, uniqueId } from '../signals.ts';

/** A media type that no framework's body parser knows. */
const opaque = { 'content-type': 'application/x-conformance' };

function digest(bytes: Uint8Array): { length: number; hash: string } {
  return { length: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') };
}

behaviour('parses a JSON body with request.json()', { standard: 'Fetch, Body.json()' }, async (server) => {
  const sent = { text: 'żółw', list: [1, { deep: null }], number: 1.5 };
  const init = { method: 'POST', body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } };
  expect(await json(await server.fetch('/body/json', init))).toEqual({ received: sent });
});

behaviour('gives the exact text of a JSON body', { standard: 'Fetch, Body.text()' }, async (server) => {
  const text = '{ "spaced":   1.0, "twice": 1, "twice": 2 }';
  const init = { method: 'POST', body: text, headers: { 'content-type': 'application/json' } };
  expect((await json(await server.fetch('/body/text', init))).text).toBe(text);
});

behaviour(
  'rejects request.json() with SyntaxError for malformed JSON',
  { standard: 'Fetch, Body.json()' },
  async (server) => {
    const init = { method: 'POST', body: '{"broken', headers: { 'content-type': 'application/json' } };
    const response = await server.fetch('/body/json', init);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ failed: 'SyntaxError' });
  },
);

behaviour('gives a text body', { standard: 'Fetch, Body.text()' }, async (server) => {
  const result = await json(await server.fetch('/body/text', { method: 'POST', body: 'zażółć gęślą jaźń' }));
  expect(result).toEqual({ text: 'zażółć gęślą jaźń', bodyUsed: true });
});

behaviour('gives an octet stream byte for byte', { standard: 'Fetch, Body.arrayBuffer()' }, async (server) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const init = { method: 'POST', body: bytes, headers: { 'content-type': 'application/octet-stream' } };
  expect(await json(await server.fetch('/body/bytes', init))).toEqual(digest(bytes));
});

behaviour('gives a body of a type nobody knows', { standard: 'Fetch, Body.arrayBuffer()' }, async (server) => {
  const bytes = randomBytes(server, 1000);
  const response = await server.fetch('/body/bytes', { method: 'POST', body: bytes, headers: opaque });
  expect(await json(response)).toEqual(digest(bytes));
});

behaviour('gives an empty body as empty text', { standard: 'Fetch, Body.text()' }, async (server) => {
  const response = await server.send({ method: 'POST', path: '/body/text', headers: [['Content-Length', '0']] });
  expect(JSON.parse(response.body.toString())).toMatchObject({ text: '' });
});

behaviour('gives a POST without any length as empty text', { standard: 'RFC 9112 section 6.3' }, async (server) => {
  const response = await server.send({ method: 'POST', path: '/body/text' });
  expect(JSON.parse(response.body.toString())).toMatchObject({ text: '' });
});

behaviour('gives a chunked body whole', { standard: 'RFC 9112 section 7.1' }, async (server) => {
  const response = await server.send({
    method: 'POST',
    path: '/body/text',
    headers: [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Type', 'text/plain'],
    ],
    body: '3\r\none\r\n5;note=x\r\n two!\r\n0\r\n\r\n',
  });
  expect(response.status).toBe(200);
  expect(JSON.parse(response.body.toString())).toMatchObject({ text: 'one two!' });
});

behaviour('gives a 10 MB body whole', { quality: 'uploads of that size are common' }, async (server) => {
  const bytes = randomBytes(server, 10 * 1024 * 1024);
  const response = await server.fetch('/body/bytes', { method: 'POST', body: bytes, headers: opaque });
  expect(await json(response)).toEqual(digest(bytes));
});

behaviour('streams a 10 MB body', { quality: 'uploads of that size are common' }, async (server) => {
  const bytes = randomBytes(server, 10 * 1024 * 1024);
  const response = await server.fetch('/body/bytes', { method: 'PUT', body: bytes, headers: opaque });
  expect(await json(response)).toEqual(digest(bytes));
});

behaviour('gives the fields and files of a multipart form', { standard: 'Fetch, Body.formData()' }, async (server) => {
  const form = new FormData();
  form.append('name', 'first');
  form.append('name', 'second');
  form.append('file', new Blob([new Uint8Array([0, 255, 13, 10])], { type: 'image/png' }), 'ça va.png');
  expect(await json<unknown>(await server.fetch('/body/form', { method: 'POST', body: form }))).toEqual([
    ['name', 'first'],
    ['name', 'second'],
    ['file', 'ça va.png', 'image/png', [0, 255, 13, 10]],
  ]);
});

behaviour('gives every value of a repeated form field', { standard: 'Fetch, Body.formData()' }, async (server) => {
  const body = new URLSearchParams([
    ['a', '1'],
    ['a', '2'],
    ['b', 'x y & z'],
  ]);
  expect(await json<unknown>(await server.fetch('/body/form', { method: 'POST', body }))).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', 'x y & z'],
  ]);
});

behaviour('gives form fields whose names look like paths', { standard: 'Fetch, Body.formData()' }, async (server) => {
  const body = new URLSearchParams([
    ['user[name]', 'Ada'],
    ['list[]', '1'],
    ['list[]', '2'],
  ]);
  expect(await json<unknown>(await server.fetch('/body/form', { method: 'POST', body }))).toEqual([
    ['user[name]', 'Ada'],
    ['list[]', '1'],
    ['list[]', '2'],
  ]);
});

behaviour('gives the exact text of a form body', { standard: 'Fetch, Body.text()' }, async (server) => {
  const text = 'a=1&a=2&b=x%20y+z&empty=';
  const init = { method: 'POST', body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  expect((await json(await server.fetch('/body/text', init))).text).toBe(text);
});

behaviour('gives a blob the type of the request', { standard: 'Fetch, Body.blob()' }, async (server) => {
  const init = { method: 'POST', body: 'text', headers: { 'content-type': 'text/x-conformance' } };
  expect(await json(await server.fetch('/body/blob', init))).toEqual({
    type: 'text/x-conformance',
    size: 4,
    text: 'text',
  });
});

behaviour('refuses to read a body twice', { standard: 'Fetch, consume body' }, async (server) => {
  const response = await server.fetch('/body/twice', { method: 'POST', body: 'once', headers: opaque });
  expect(await json(response)).toEqual({ first: 'once', used: true, second: 'TypeError' });
});

behaviour('gives a clone of the request the same body', { standard: 'Fetch, Request.clone()' }, async (server) => {
  const response = await server.fetch('/body/clone', { method: 'POST', body: 'both', headers: opaque });
  expect(await json(response)).toEqual({ original: 'both', copy: 'both', type: 'application/x-conformance' });
});

behaviour('gives the body back as it is', { standard: 'Fetch, Body.body' }, async (server) => {
  const response = await server.fetch('/body/echo', { method: 'POST', body: 'there and back', headers: opaque });
  expect([response.status, await response.text()]).toEqual([200, 'there and back']);
});

behaviour('gives a long body back while it arrives', { standard: 'Fetch, Body.body' }, async (server) => {
  const part = Buffer.alloc(16 * 1024, 'x');
  const parts = 32;
  const connection = await server.connect();
  await connection.write({
    method: 'POST',
    target: server.target('/body/echo'),
    headers: [
      server.hostHeader,
      ['Content-Length', String(parts * part.byteLength)],
      ['Content-Type', 'application/x-conformance'],
    ],
  });
  const answering = connection.response();
  for (let sent = 0; sent < parts; sent++) {
    await connection.write(part);
    await setImmediate();
  }
  const { status, body } = await answering;
  expect([status, body.byteLength]).toEqual([200, parts * part.byteLength]);
  connection.destroy();
});

behaviour('leaves the body to an answer that reads it later', { standard: 'Fetch, Body.body' }, async (server) => {
  const response = await server.fetch('/body/echo', { method: 'PUT', body: 'there and back', headers: opaque });
  expect([response.status, await response.text()]).toEqual([200, 'there and back']);
});

behaviour(
  'hands the body on before all of it has arrived',
  { quality: 'a stream is there to be read early' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({
      method: 'POST',
      target: server.target(`/body/stream?id=${id}`),
      headers: [server.hostHeader, ['Content-Length', '8'], ['Content-Type', 'application/x-conformance']],
      body: 'half',
    });
    expect(await signalled(server, `${id}-received`)).toBe('half');
    await connection.write(' two');
    expect((await connection.response()).body.toString()).toBe('half two');
    connection.destroy();
  },
);

behaviour(
  'answers while the request is still arriving',
  { quality: 'a stream is there to be read early' },
  async (server) => {
    const connection = await server.connect();
    await connection.write({
      method: 'PUT',
      target: server.target('/body/stream'),
      headers: [server.hostHeader, ['Transfer-Encoding', 'chunked'], ['Content-Type', 'application/x-conformance']],
      body: '3\r\none\r\n',
    });
    const pieces = connection.pieces(await connection.head());
    expect((await pieces.next()).value?.toString()).toBe('ONE');
    await connection.write('3\r\ntwo\r\n0\r\n\r\n');
    expect((await pieces.next()).value?.toString()).toBe('TWO');
    expect((await pieces.next()).done).toBe(true);
    connection.destroy();
  },
);

behaviour(
  'holds an upload back while nobody reads it',
  { quality: 'otherwise an upload fills the memory' },
  async (server) => {
    const id = uniqueId();
    const size = 64 * 1024 * 1024;
    const connection = await server.connect();
    await connection.write({
      method: 'PATCH',
      target: server.target(`/body/stream?id=${id}`),
      headers: [server.hostHeader, ['Content-Length', String(size)], ['Content-Type', 'application/x-conformance']],
      body: 'x',
    });
    await signalled(server, `${id}-reached`);
    const upload = connection.write(Buffer.alloc(size - 1, 'x'));
    const taken = await settled(async () => {
      await signalNow(server, id);
      return connection.socket.bytesWritten - connection.socket.writableLength;
    }, size);
    expect(taken).toBeLessThan(size / 2);
    await release(server, `${id}-release`);
    await upload;
    expect((await connection.response()).body.toString()).toBe(String(size - 1));
    connection.destroy();
  },
);

behaviour('answers the next request after a body nobody read', { standard: 'RFC 9112 section 9.3' }, async (server) => {
  const connection = await server.connect();
  const size = 200 * 1024;
  await connection.write({
    method: 'POST',
    target: server.target('/body/ignored'),
    headers: [server.hostHeader, ['Content-Length', String(size)], ['Content-Type', 'application/x-conformance']],
    body: Buffer.alloc(size),
  });
  const response = await connection.response();
  expect(response.body.toString()).toBe('did not look');
  if (response.header('connection') !== 'close') {
    await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
    expect((await connection.response()).status).toBe(200);
  }
  connection.destroy();
});

behaviour(
  'answers the next request after a small body nobody read',
  { standard: 'RFC 9112 section 9.3' },
  async (server) => {
    const connection = await server.connect();
    await connection.write({
      method: 'POST',
      target: server.target('/methods/get'),
      headers: [server.hostHeader, ['Content-Length', '1'], ['Content-Type', 'application/x-conformance']],
      body: 'x',
    });
    const response = await connection.response();
    expect(response.status).toBe(405);
    if (response.header('connection') !== 'close') {
      await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
      expect((await connection.response()).status).toBe(200);
    }
    connection.destroy();
  },
);

behaviour('answers pipelined requests in their order', { standard: 'RFC 9112 section 9.3.2' }, async (server) => {
  const connection = await server.connect();
  const get = (path: string): string => `GET ${server.target(path)} HTTP/1.1\r\nHost: ${server.hostHeader[1]}\r\n\r\n`;
  await connection.write(get('/url/1') + get('/url/2') + get('/url/3'));
  for (const value of ['1', '2', '3']) {
    const { url } = JSON.parse((await connection.response()).body.toString()) as { url: string };
    expect(url).toBe(`${server.origin}${server.target(`/url/${value}`)}`);
  }
  connection.destroy();
});

behaviour(
  'answers after the route has cancelled the body',
  { quality: 'a route may have read enough' },
  async (server) => {
    const connection = await server.connect();
    await connection.write({
      method: 'DELETE',
      target: server.target('/body/stream'),
      headers: [server.hostHeader, ['Content-Length', '1000000'], ['Content-Type', 'application/x-conformance']],
      body: 'only the start',
    });
    expect((await connection.response()).body.toString()).toBe('cancelled');
    connection.destroy();
    expect((await server.fetch('/hello')).status).toBe(200);
  },
);

behaviour('asks for a body that waits for 100 Continue', { standard: 'RFC 9110 section 10.1.1' }, async (server) => {
  const connection = await server.connect();
  await connection.write({
    method: 'POST',
    target: server.target('/body/text'),
    headers: [server.hostHeader, ['Content-Length', '5'], ['Expect', '100-continue'], ['Content-Type', 'text/plain']],
  });
  expect((await connection.head()).status).toBe(100);
  await connection.write('hello');
  expect(JSON.parse((await connection.response()).body.toString())).toMatchObject({ text: 'hello' });
  connection.destroy();
});

behaviour(
  'rejects the body when the client leaves in the middle of it',
  { standard: 'RFC 9112 section 8' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({
      method: 'POST',
      target: server.target(`/body/stream?id=${id}`),
      headers: [server.hostHeader, ['Content-Length', '1000'], ['Content-Type', 'application/x-conformance']],
      body: 'a part',
    });
    await signalled(server, `${id}-received`);
    connection.destroy();
    expect(await signalled(server, `${id}-failed`)).toBe('true');
  },
);

/** Ways in which a route begins to read a body without awaiting its end. See fixture/begin-to-read.ts. */
const ways = 'text json arrayBuffer blob formData clone reader loop parsed pipeTo cancel'.split(' ');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };

for (const way of ways) {
  behaviour(
    `answers, and the next request too, before a body that is read by ${way}`,
    { quality: 'a route may answer, or fail, before it has read the body' },
    async (server) => {
      const isJson = way === 'json' || way === 'parsed';
      const init = { method: 'POST', headers: isJson ? jsonType : form, body: isJson ? '{"a":1}' : 'a=b&c' };
      for (const then of ['return', 'throw']) {
        const response = await server.fetch(`/body/left?way=${way}&then=${then}`, init);
        const text = await response.text();
        if (then === 'return') expect([response.status, text]).toEqual([401, 'refused']);
        else expect(response.status).toBe(500);
      }
      for (let request = 0; request < 3; request++) expect((await server.fetch('/hello')).status).toBe(200);
    },
  );

  behaviour(
    `answers on after a client that left while its body was read by ${way}`,
    { quality: 'a route may answer, or fail, before it has read the body' },
    async (server) => {
      const connection = await server.connect();
      await connection.write({
        method: 'POST',
        target: server.target(`/body/left?way=${way}`),
        headers: [server.hostHeader, ['Content-Length', '1000'], ['Content-Type', form['content-type']]],
        body: 'a part',
      });
      // Hosts that pass on only complete requests never call the route.
      connection.destroy();
      for (let request = 0; request < 5; request++) expect((await server.fetch('/hello')).status).toBe(200);
    },
  );
}

behaviour(
  'gives a body that has arrived whole although the client has left',
  { quality: 'what has arrived may have been paid for' },
  async (server) => {
    const id = uniqueId();
    const connection = await server.connect();
    await connection.write({
      method: 'PATCH',
      target: server.target(`/body/left?id=${id}`),
      headers: [server.hostHeader, ['Content-Length', '4'], ['Content-Type', 'application/x-conformance']],
      body: 'paid',
    });
    await signalled(server, `${id}-reached`);
    connection.destroy();
    // The host has noticed that by the time it has answered others, even a busy one that is behind TLS.
    for (let request = 0; request < 30; request++) await server.fetch('/hello');
    await release(server, `${id}-release`);
    expect(await signalled(server, `${id}-read`)).toBe('paid');
  },
);
