import { expect, it } from 'vitest';
import { isAllowedHost } from './host-check.ts';

it('allows this machine and the name the server was started with', () => {
  for (const [header, host, allowed] of [
    ['localhost', 'localhost', true],
    ['LOCALHOST:8081', 'localhost', true],
    ['app.localhost:8081', 'localhost', true],
    ['127.0.0.1:8081', 'localhost', true],
    ['127.8.9.1', 'localhost', true],
    ['[::1]:8081', 'localhost', true],
    ['shop.example:8081', 'shop.example', true],
    ['shop.example', 'localhost', false],
    ['notlocalhost', 'localhost', false],
    ['localhost.evil.example', 'localhost', false],
    ['127.0.0.1.evil.example', 'localhost', false],
    ['evil.example#localhost', 'localhost', false],
    ['evil.example@localhost', 'localhost', false],
    ['192.168.1.2', 'localhost', false],
    ['192.168.1.2', '192.168.1.2', true],
    ['192.168.1.2', '0.0.0.0', true],
    ['[fe80::1]', '::', true],
    ['evil.example', '0.0.0.0', false],
    ['', 'localhost', false],
    [undefined, 'localhost', false],
  ] as const) {
    expect([header, host, isAllowedHost(header, host)]).toEqual([header, host, allowed]);
  }
});
