import { describe, expect, it, vi } from 'vitest';
import { HeaderReads } from './header-reads.ts';
import { CLIENT_ADDRESS, findUnsaid, NONCE, warnOfUnsaid } from './unsaid-reads.ts';

/** What an answer depends on that `vary` does not name, after code has read a header. */
function unsaidFor(read: string, headers: Record<string, string> = {}, vary: string[] = []): string | undefined {
  const reads = new HeaderReads();
  reads.note(read);
  return findUnsaid(new Request('http://shop.example:8080/a', { headers }), reads, vary);
}

describe(findUnsaid, () => {
  it('takes the host for a part of the URL', () => {
    expect(unsaidFor('host', { host: 'shop.example:8080' })).toBeUndefined();
  });

  it('takes the host for a header of its own if the URL has another, as behind a trusted proxy', () => {
    expect(unsaidFor('host', { host: 'internal' })).toBe('host');
  });

  it('finds a header that was read, unless vary names it', () => {
    expect(unsaidFor('x-a', { host: 'shop.example:8080' })).toBe('x-a');
    expect(unsaidFor('x-a', {}, ['x-b', 'x-a'])).toBeUndefined();
    expect(unsaidFor('*')).toBe('*');
  });

  it('ignores headers that change only the form of an answer', () => {
    const reads = new HeaderReads();
    for (const name of ['accept-encoding', 'range', 'if-range']) reads.note(name);
    for (const name of ['match', 'none-match', 'modified-since', 'unmodified-since']) reads.note(`if-${name}`);
    expect(findUnsaid(new Request('http://a.test/'), reads, [])).toBeUndefined();
  });

  it('finds the Authorization of a visitor, read or not, unless vary names it', () => {
    const headers = { authorization: 'Basic YTpi' };
    expect(unsaidFor('range', headers)).toBe('authorization');
    expect(unsaidFor('range', headers, ['authorization'])).toBeUndefined();
  });

  it('finds cookies if reads are not tracked, unless vary names them', () => {
    const request = new Request('http://a.test/', { headers: { cookie: 'a=1' } });
    expect(findUnsaid(request, undefined, [])).toBe('cookie');
    expect(findUnsaid(request, undefined, ['cookie'])).toBeUndefined();
    expect(findUnsaid(new Request('http://a.test/'), undefined, [])).toBeUndefined();
  });
});

describe(warnOfUnsaid, () => {
  it('says once per route and read what was read, and what to do', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const route = `/${crypto.randomUUID()}`;
    for (const read of [NONCE, NONCE, CLIENT_ADDRESS, '*', 'cookie', 'cookie']) warnOfUnsaid(route, read);
    warnOfUnsaid(`${route}/other`, 'cookie');
    const lines = warn.mock.calls.flat();
    warn.mockRestore();
    const start = `${route} calls cache(), but its answer is not kept: `;
    expect(lines).toEqual([
      `${start}nonce() was called. Use hashes in the Content-Security-Policy of answers that are kept.`,
      `${start}clientAddress was read. Leave it out of answers that are kept.`,
      `${start}all headers of the request were read. Read only those that it depends on, and name them in vary.`,
      `${start}the request header cookie was read. Name it in vary, or do not read it.`,
      `${route}/other calls cache(), but its answer is not kept: the request header cookie was read. ` +
        'Name it in vary, or do not read it.',
    ]);
  });
});
