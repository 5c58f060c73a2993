import { expect } from 'vitest';
import { behaviour } from '../behaviour.ts';

behaviour('sends several cookies as several header lines', 'adapters.md case 1, RFC 6265 section 3', async (host) => {
  const response = await host.send({ path: '/cookies/several' });
  expect(response.values('set-cookie')).toHaveLength(3);
});

behaviour('keeps a cookie with a comma whole', 'adapters.md case 2', async (host) => {
  const response = await host.send({ path: '/cookies/several' });
  expect(response.values('set-cookie')[1]).toBe('b=2; Expires=Wed, 21 Oct 2032 07:28:00 GMT; Secure');
});

behaviour(
  'sends cookies in the order in which they were added',
  'adapters.md case 3, RFC 6265 section 3',
  async (host) => {
    const names = (await host.fetch('/cookies/several')).headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
    expect(names).toEqual(['a', 'b', 'c']);
  },
);

behaviour("adds cookies of setResponseHeaders to the route's own", 'B5', async (host) => {
  const response = await host.send({ path: '/headers/callback' });
  expect(response.values('set-cookie')).toEqual(['own=1', 'token=123; Secure']);
});

behaviour('keeps cookies given as a list apart', 'B5', async (host) => {
  const response = await host.send({ path: '/headers/list' });
  expect(response.values('set-cookie')).toEqual(['own=1', 'a=1', 'b=2']);
});

behaviour('keeps cookies given as Headers apart', 'B5, adapters.md case 91', async (host) => {
  const response = await host.send({ path: '/headers/headers' });
  expect(response.values('set-cookie')).toEqual(['own=1', 'a=1', 'b=2']);
});

behaviour('adds cookies to a StatusError', 'B5, adapters.md case 91', async (host) => {
  const response = await host.send({ path: '/headers/status-error' });
  expect(response.status).toBe(418);
  expect(response.values('set-cookie')).toEqual(['a=1', 'b=2']);
});

behaviour('adds cookies to a redirect', 'B5, adapters.md case 12', async (host) => {
  const response = await host.send({ method: 'POST', path: '/response/redirect/303' });
  expect(response.status).toBe(303);
  expect(response.values('set-cookie')).toEqual(['a=1', 'b=2']);
});

behaviour("adds the middleware's cookies to the route's", 'B5', async (host) => {
  const response = await host.send({ path: '/middleware?middleware=cookies' });
  expect(response.values('set-cookie').toSorted()).toEqual(['m=1', 'r=1']);
});
