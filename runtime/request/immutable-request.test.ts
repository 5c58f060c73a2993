import { describe, expect, it } from 'vitest';
import { toImmutableRequest } from './immutable-request.ts';
import { toHostRequest } from './host-request.ts';
import { trackHeaderReads } from './track-headers.ts';

const url = 'http://a.test/';
const headers = { 'content-length': '2', 'x-user': 'ada' };

/** A request, and how middleware sees it. */
function create(init: RequestInit): { request: Request; view: Request } {
  const request = toHostRequest(new Request(url, init));
  return { request, view: toImmutableRequest(request) };
}

describe(toImmutableRequest, () => {
  it('refuses each method that would read the body, and says what to do', async () => {
    const { request, view } = create({ method: 'POST', headers, body: '{}' });
    const reads = [
      () => view.arrayBuffer(),
      () => view.blob(),
      () => view.bytes(),
      () => view.formData(),
      () => view.json(),
      () => view.text(),
      // Twice.
      () => view.text(),
      () => view.body?.getReader().read(),
    ];
    for (const read of reads) {
      await expect(read()).rejects.toMatchObject({
        code: 'ERR_REQUEST_IMMUTABLE',
        message:
          'The request of a middleware is immutable, but its body was read. Read a copy: await request.clone().json(), and so on.',
      });
    }
    expect(await view.clone().json()).toEqual({});
    expect(await request.text()).toBe('{}');
  });

  it('reports the same error to code that passes the body on without reading it first', async () => {
    const { view } = create({ method: 'POST', headers, body: '{}' });
    await expect(new Request(view).text()).rejects.toMatchObject({ code: 'ERR_REQUEST_IMMUTABLE' });
  });

  it('has no body if the request cannot have one, or says that it has none', async () => {
    for (const init of [{ method: 'GET', headers }, { method: 'HEAD', headers }, { method: 'POST' }]) {
      const { view } = create(init);
      expect(view.body).toBeNull();
      expect(await view.text()).toBe('');
    }
  });

  it('has a body of unknown length too', () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(create({ method: 'POST', headers: chunked, body: '{}' }).view.body).not.toBeNull();
  });

  it('refuses changes of its headers, and says which', () => {
    const { view } = create({ headers });
    const hint = 'Use setResponseHeaders() to send headers to the client.';
    const messageOf = (name: string): string =>
      `The request of a middleware is immutable, but headers.${name}() was called. ${hint}`;
    expect(() => view.headers.set('x-user', 'eve')).toThrow(messageOf('set'));
    expect(() => view.headers.append('x-user', 'eve')).toThrow(messageOf('append'));
    expect(() => view.headers.delete('x-user')).toThrow(messageOf('delete'));
    expect(view.headers.get('x-user')).toBe('ada');
  });

  it('has the signal of the request itself, which a copy would follow only until it is collected', () => {
    const { request, view } = create({});
    expect(view.signal).toBe(request.signal);
  });

  it('records reads as reads of the request, if those are tracked', () => {
    const { request } = create({ headers });
    const reads = trackHeaderReads(request);
    const view = toImmutableRequest(request);
    expect([reads.names.size, reads.isAll]).toEqual([0, false]);
    expect(view.headers.get('x-user')).toBe('ada');
    expect([...reads.names]).toEqual(['x-user']);
    expect(new Request(create({ headers }).view).headers.get('x-user')).toBe('ada');
  });
});
