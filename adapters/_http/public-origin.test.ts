import { describe, expect, it } from 'vitest';
import { createOriginFinder } from './public-origin.ts';

function originOf(headers: Record<string, string>, proxies: number): string | undefined {
  return createOriginFinder(proxies).find((name) => headers[name], 'http');
}

describe('an origin', () => {
  const hosts: [host: string, origin: string | undefined][] = [
    ['app.test', 'http://app.test'],
    ['app.test:8080', 'http://app.test:8080'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[::FFFF:1.2.3.4]', 'http://[::ffff:102:304]'],
    ['[::1]]', undefined],
    ['[gg]', undefined],
    ['x[::1]', undefined],
    ['a.test:', undefined],
    ['a.test:000080', undefined],
    ['a.test:80x', undefined],
    ['a.test:80:80', undefined],
    ['(a.test', undefined],
    ['A.Test', 'http://a.test'],
    ['a.test:80', 'http://a.test'],
    ['under_score.test', 'http://under_score.test'],
    ['', undefined],
    ['a.test, b.test', undefined],
    ['user@a.test', undefined],
    ['a.test/path', undefined],
    ['a.test?x', undefined],
    ['a.test#x', undefined],
    ['a.test\\b', undefined],
    ['a test', undefined],
    ['a.test:port', undefined],
    ['::1', undefined],
    ['a.test:99999', undefined],
    ['999.1.1.1', undefined],
  ];
  for (const [host, origin] of hosts) {
    it(`finds ${origin ?? 'no origin'} for Host: ${host}`, () => expect(originOf({ host }, 0)).toBe(origin));
  }

  it('returns none without a Host header', () => expect(originOf({}, 0)).toBeUndefined());

  it('uses the address of the connection where a Host header may be missing', () => {
    expect(createOriginFinder(0).find(() => undefined, 'http', '127.0.0.1:81')).toBe('http://127.0.0.1:81');
  });

  const forwarded = { host: 'inner', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };

  it('ignores forwarded headers when no proxy is trusted', () => expect(originOf(forwarded, 0)).toBe('http://inner'));

  it('believes the forwarded headers of one trusted proxy', () =>
    expect(originOf(forwarded, 1)).toBe('https://shop.example'));

  it('accepts a scheme in any case', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-proto': 'HTTPS' }, 1)).toBe('https://inner');
  });

  it('uses the entry that the farthest trusted proxy added, whatever the client put in front', () => {
    const lists = {
      host: 'inner',
      'x-forwarded-proto': 'http, https, http',
      'x-forwarded-host': 'evil.example, shop.example, edge.internal',
    };
    expect(originOf(lists, 1)).toBe('http://edge.internal');
    expect(originOf(lists, 2)).toBe('https://shop.example');
  });

  it('uses the first entry if a proxy has replaced the list from the others', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-host': 'shop.example' }, 3)).toBe('http://shop.example');
  });

  it('ignores spaces around the entries', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-host': 'evil.example ,  shop.example\t' }, 1)).toBe(
      'http://shop.example',
    );
  });

  it("prefers a proxy's http to the connection's https", () => {
    const headers: Record<string, string> = { host: 'a.test', 'x-forwarded-proto': 'http' };
    expect(createOriginFinder(1).find((name) => headers[name], 'https')).toBe('http://a.test');
  });

  it("uses the connection's values if a proxy has sent none", () => {
    expect(createOriginFinder(1).find((name) => ({ host: 'a.test' })[name], 'https')).toBe('https://a.test');
    expect(originOf({ host: 'a.test', 'x-forwarded-host': '', 'x-forwarded-proto': '' }, 1)).toBe('http://a.test');
  });

  it('returns none when the address of the connection is not a host', () => {
    expect(createOriginFinder(0).find(() => undefined, 'http', 'a b')).toBeUndefined();
  });

  it('ignores a forwarded value that is not a scheme or host', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a/b' }, 1)).toBe(
      'http://inner',
    );
    for (const scheme of ['xhttp', 'httpx', 'ws']) {
      expect(originOf({ host: 'inner', 'x-forwarded-proto': scheme }, 1), scheme).toBe('http://inner');
    }
  });
});

describe('a finder that has found an origin', () => {
  const ask = (headers: Record<string, string>) => (name: string) => headers[name];

  it('refuses a host right after accepting another, and accepts that one again', () => {
    const { find } = createOriginFinder(0);
    const hosts = ['a.test', 'b/b', 'b/b', 'a.test', 'c.test'];
    expect(hosts.map((host) => find(ask({ host }), 'http'))).toEqual([
      'http://a.test',
      undefined,
      undefined,
      'http://a.test',
      'http://c.test',
    ]);
  });

  it('distinguishes the schemes of two connections', () => {
    const { find } = createOriginFinder(0);
    expect(find(ask({ host: 'a.test' }), 'https')).toBe('https://a.test');
    expect(find(ask({ host: 'a.test' }), 'http')).toBe('http://a.test');
  });

  it("reads the proxy's headers for each request", () => {
    const { find } = createOriginFinder(1);
    const requests = [
      { 'x-forwarded-proto': 'https' },
      {},
      { 'x-forwarded-host': 'shop.example' },
      { 'x-forwarded-host': 'other.example' },
      { 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'https' },
    ];
    expect(requests.map((headers) => find(ask({ host: 'inner', ...headers }), 'http'))).toEqual([
      'https://inner',
      'http://inner',
      'http://shop.example',
      'http://other.example',
      'https://other.example',
    ]);
  });

  it('recognises it by the Host header it was found for', () => {
    const { find, last } = createOriginFinder(0);
    expect(last('a.test')).toBeUndefined();
    find(ask({ host: 'A.test' }), 'http');
    expect([last('A.test'), last('a.test'), last(undefined)]).toEqual(['http://a.test', undefined, undefined]);
    find(ask({}), 'http', 'local.test');
    expect([last('A.test'), last('local.test'), last(undefined)]).toEqual([undefined, undefined, 'http://local.test']);
  });

  it('does not recognise one by the Host header behind a proxy', () => {
    const { find, last } = createOriginFinder(1);
    find(ask({ host: 'inner', 'x-forwarded-host': 'shop.example' }), 'http');
    expect(last('inner')).toBeUndefined();
  });
});
