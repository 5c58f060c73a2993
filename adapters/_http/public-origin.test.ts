import { describe, expect, it } from 'vitest';
import { toPublicOrigin } from './public-origin.ts';

function originOf(headers: Record<string, string>, proxies: number): string | undefined {
  return toPublicOrigin((name) => headers[name], 'http', { proxies });
}

describe('toPublicOrigin', () => {
  const hosts: [host: string, origin: string | undefined][] = [
    ['app.test', 'http://app.test'],
    ['app.test:8080', 'http://app.test:8080'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[::FFFF:1.2.3.4]', 'http://[::FFFF:1.2.3.4]'],
    ['[::1]]', undefined],
    ['[gg]', undefined],
    ['x[::1]', undefined],
    ['a.test:', undefined],
    ['a.test:000080', undefined],
    ['a.test:80x', undefined],
    ['a.test:80:80', undefined],
    ['(a.test', undefined],
    ['A.Test', 'http://A.Test'],
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
    it(`Host: ${host} gives ${origin ?? 'none'}`, () => expect(originOf({ host }, 0)).toBe(origin));
  }

  it('gives none without a Host header', () => expect(originOf({}, 0)).toBeUndefined());

  it('takes the address of the connection where a Host header may be missing', () => {
    expect(toPublicOrigin(() => undefined, 'http', { proxies: 0, local: '127.0.0.1:80' })).toBe('http://127.0.0.1:80');
  });

  const forwarded = { host: 'inner', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };

  it('ignores forwarded headers when no proxy is trusted', () => expect(originOf(forwarded, 0)).toBe('http://inner'));

  it('believes them of one trusted proxy', () => expect(originOf(forwarded, 1)).toBe('https://shop.example'));

  it('takes a scheme in any case', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-proto': 'HTTPS' }, 1)).toBe('https://inner');
  });

  it('takes the entry that the farthest trusted proxy added, whatever the client put in front', () => {
    const lists = {
      host: 'inner',
      'x-forwarded-proto': 'http, https, http',
      'x-forwarded-host': 'evil.example, shop.example, edge.internal',
    };
    expect(originOf(lists, 1)).toBe('http://edge.internal');
    expect(originOf(lists, 2)).toBe('https://shop.example');
  });

  it('takes the first entry where a proxy has replaced the list that the others made', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-host': 'shop.example' }, 3)).toBe('http://shop.example');
  });

  it('takes entries without the spaces around them', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-host': 'evil.example ,  shop.example\t' }, 1)).toBe(
      'http://shop.example',
    );
  });

  it('takes http of a proxy before an https of the connection', () => {
    const headers: Record<string, string> = { host: 'a.test', 'x-forwarded-proto': 'http' };
    expect(toPublicOrigin((name) => headers[name], 'https', { proxies: 1 })).toBe('http://a.test');
  });

  it('takes what the connection knows where a proxy has sent nothing', () => {
    expect(toPublicOrigin((name) => ({ host: 'a.test' })[name], 'https', { proxies: 1 })).toBe('https://a.test');
    expect(originOf({ host: 'a.test', 'x-forwarded-host': '', 'x-forwarded-proto': '' }, 1)).toBe('http://a.test');
  });

  it('refuses a host right after it has taken another, and takes that again', () => {
    expect([originOf({ host: 'a.test' }, 0), originOf({ host: 'b/b' }, 0), originOf({ host: 'b/b' }, 0)]).toEqual([
      'http://a.test',
      undefined,
      undefined,
    ]);
    expect(originOf({ host: 'a.test' }, 0)).toBe('http://a.test');
  });

  it('gives none when the address of the connection is not a host', () => {
    expect(toPublicOrigin(() => undefined, 'http', { proxies: 0, local: 'a b' })).toBeUndefined();
  });

  it('ignores a forwarded value that is no scheme or host', () => {
    expect(originOf({ host: 'inner', 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a/b' }, 1)).toBe(
      'http://inner',
    );
  });
});
