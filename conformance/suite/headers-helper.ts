import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

const helper = 'Runtime helper library: setResponseHeaders';

behaviour('sets headers given as an object', helper, async (host) => {
  const response = await host.fetch('/headers/object');
  expect(response.headers.get('retry-after')).toBe('3600');
  expect(await response.text()).toBe('body');
});

behaviour("sets a header over the route's own", 'B5', async (host) => {
  expect((await host.fetch('/headers/object')).headers.get('x-own')).toBe('helper');
});

behaviour('appends the values of a list', 'B5', async (host) => {
  expect((await host.fetch('/headers/list')).headers.get('x-own')).toBe('route, one, two');
});

behaviour('sets headers given as Headers', 'B5', async (host) => {
  expect((await host.fetch('/headers/headers')).headers.get('x-own')).toBe('helper');
});

behaviour('gives a callback the headers to change', helper, async (host) => {
  expect((await host.fetch('/headers/callback')).headers.getSetCookie()).toContain('token=123; Secure');
});

behaviour('merges the Headers that a callback returns', 'B5', async (host) => {
  const { headers } = await host.fetch('/headers/callback-result');
  expect(headers.get('x-own')).toBe('merged');
  expect(headers.getSetCookie()).toEqual(['own=1', 'merged=1']);
});

behaviour('applies calls in their order', 'B5', async (host) => {
  expect((await host.fetch('/headers/order')).headers.get('x-order')).toBe('first second, third');
});

behaviour('works after the handler has awaited', helper, async (host) => {
  expect((await host.fetch('/headers/after-await')).headers.get('x-late')).toBe('still in time');
});

behaviour('adds headers to a StatusError', 'B5', async (host) => {
  const response = await host.fetch('/headers/status-error');
  expect(response.status).toBe(418);
  expect(response.headers.get('x-own')).toBe('helper');
});

behaviour('adds headers to a thrown Response', 'B4, B5', async (host) => {
  const response = await host.fetch('/thrown-response', { method: 'POST' });
  expect(response.status).toBe(409);
  expect(response.headers.get('x-added')).toBe('yes');
});

behaviour('adds headers to the 500 of an unhandled error', 'B5', async (host) => {
  const response = await host.fetch('/headers/error');
  expect(response.status).toBe(500);
  expect(response.headers.get('x-own')).toBe('helper');
});

behaviour("adds the middleware's headers to a 405", 'B5', async (host) => {
  const response = await host.fetch('/middleware', { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('x-middleware')).toBe('ran');
});

behaviour("adds the middleware's headers to a 404", 'B5', async (host) => {
  const response = await host.fetch('/middleware/no/such/route');
  expect(response.status).toBe(404);
  expect(response.headers.get('x-middleware')).toBe('ran');
});

behaviour("adds the middleware's headers to the 500 of the route", 'B5', async (host) => {
  const response = await host.fetch('/middleware/fails');
  expect(response.status).toBe(500);
  expect(response.headers.get('x-middleware')).toBe('ran');
});

behaviour("adds the middleware's headers to its own Response", 'B5', async (host) => {
  const response = await host.fetch('/middleware?middleware=respond');
  expect(response.status).toBe(203);
  expect(response.headers.get('x-middleware')).toBe('ran');
  expect(response.headers.get('x-own')).toBe('middleware');
});

behaviour("applies the route's call after the middleware's", 'B5', async (host) => {
  const response = await host.fetch('/middleware', { method: 'POST', body: 'text' });
  expect(response.headers.get('x-middleware')).toBe('ran, then the route');
});

behaviour('adds headers to a redirect', 'B5', async (host) => {
  const response = await host.fetch('/response/redirect/302', { method: 'POST' });
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(`${host.origin}/hello`);
  expect(response.headers.get('x-added')).toBe('yes');
});

behaviour('adds headers to a 204', 'B5', async (host) => {
  const response = await host.fetch('/headers/no-content');
  expect(response.status).toBe(204);
  expect(response.headers.get('x-own')).toBe('helper');
});

behaviour('throws TypeError for a value that no header can have', 'adapters.md case 6', async (host) => {
  const response = await host.fetch('/headers/invalid');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('TypeError');
});
