import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';

const source = 'B6, adapters.md case 77';
const trusting = { source, needs: 'trustProxy' } as const;

/** The request as a route sees it, in one text, so that a failure shows all of it. */
async function seen(host: Host, headers: Record<string, string>): Promise<string> {
  const response = await host.send({ path: '/request/head', headers: Object.entries(headers) });
  expect(response.status, response.body.toString()).toBe(200);
  const { url, origin } = JSON.parse(response.body.toString()) as { url: string; origin: string };
  return `${origin} at ${url}`;
}

function at(host: Host, origin: string): string {
  return `${origin} at ${origin}${host.target('/request/head')}`;
}

behaviour('takes scheme and host from a trusted proxy', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: true } });
  const headers = { 'X-Forwarded-Host': 'shop.example', 'X-Forwarded-Proto': 'https' };
  expect(await seen(server, headers)).toBe(at(server, 'https://shop.example'));
});

behaviour('takes only the scheme when the proxy says no more', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: true } });
  const https = server.origin.replace('http:', 'https:');
  expect(await seen(server, { 'X-Forwarded-Proto': 'https' })).toBe(at(server, https));
});

behaviour('believes only the last entry of one trusted proxy', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: true } });
  const headers = { 'X-Forwarded-Host': 'evil.com, shop.example', 'X-Forwarded-Proto': 'http, https' };
  expect(await seen(server, headers)).toBe(at(server, 'https://shop.example'));
});

behaviour('believes the entry that the outermost of two trusted proxies added', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: 2 } });
  const headers = {
    'X-Forwarded-Host': 'evil.com, shop.example, internal.example',
    'X-Forwarded-Proto': 'http, https, http',
  };
  expect(await seen(server, headers)).toBe(at(server, 'https://shop.example'));
});

behaviour('ignores a malformed forwarded host', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: true } });
  for (const value of ['evil.com/path', 'user@evil.com', 'a b', '']) {
    expect(await seen(server, { 'X-Forwarded-Host': value })).toBe(at(server, server.origin));
  }
});

behaviour('ignores a forwarded scheme that is not http or https', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: true } });
  expect(await seen(server, { 'X-Forwarded-Proto': 'javascript' })).toBe(at(server, server.origin));
});

behaviour('prefers the Origin header to what the proxy says', trusting, async (host) => {
  const server = await host.configured({ options: { trustProxy: true } });
  const headers = { 'X-Forwarded-Host': 'shop.example', Origin: 'https://app.example' };
  expect(await seen(server, headers)).toMatch(/^https:\/\/app\.example at /);
});
