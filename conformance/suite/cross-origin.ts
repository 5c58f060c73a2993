import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';

const forms = 'docs/guide/cross-origin.md: Forms of other origins';
const reading = 'docs/guide/cross-origin.md: CORS';

const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'session=1' };

async function send(
  host: Host,
  headers: Record<string, string>,
  body = 'a=1',
): Promise<[status: number, text: string]> {
  const length = { 'content-length': String(body.length) };
  const response = await host.send({
    path: '/forms',
    method: 'POST',
    headers: [host.hostHeader, ...Object.entries({ ...length, ...headers })],
    body,
  });
  return [response.status, response.body.toString()];
}

const TAKEN = [200, 'taken: a=1'];
const REFUSED = [403, '{"error":"A form of another origin cannot be sent here"}'];

behaviour('refuses a form that another origin sends with cookies', forms, async (host) => {
  for (const site of ['cross-site', 'same-site'])
    expect([site, await send(host, { ...form, 'sec-fetch-site': site })]).toEqual([site, REFUSED]);
  for (const origin of ['https://evil.example', 'null'])
    expect([origin, await send(host, { ...form, origin })]).toEqual([origin, REFUSED]);
});

behaviour('refuses whatever a page can send without being asked', forms, async (host) => {
  for (const type of ['text/plain', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type, cookie: 'session=1', 'sec-fetch-site': 'cross-site' };
    expect([type, await send(host, headers)]).toEqual([type, REFUSED]);
  }
});

behaviour('accepts a form of its own, and of a client that is not a browser', forms, async (host) => {
  expect(await send(host, { ...form, origin: host.origin })).toEqual(TAKEN);
  expect(await send(host, { ...form, 'sec-fetch-site': 'same-origin' })).toEqual(TAKEN);
  expect(await send(host, form)).toEqual(TAKEN);
});

behaviour('takes what is sent without cookies, or as a type that browsers ask for first', forms, async (host) => {
  const { cookie: _, ...without } = form;
  expect(await send(host, { ...without, 'sec-fetch-site': 'cross-site' })).toEqual(TAKEN);
  const json = { ...form, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
  expect(await send(host, json, '{"a":1}')).toEqual([200, 'taken: {"a":1}']);
});

behaviour('takes a form of an origin that the config names', forms, async (host) => {
  const origin = 'https://login.example';
  expect(await send(host, { ...form, origin, 'sec-fetch-site': 'cross-site' })).toEqual(TAKEN);
});

behaviour('lets a listed origin read answers, errors included', reading, async (host) => {
  for (const [method, status] of [
    ['GET', 200],
    ['PUT', 409],
    ['DELETE', 405],
  ] as const) {
    const response = await host.fetch('/cors', { method, headers: { origin: 'https://partner.example' } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      status,
      'https://partner.example',
    ]);
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    expect(response.headers.get('access-control-expose-headers')).toBe('X-Count');
  }
});

behaviour('takes other methods with cookies, for which browsers ask first', reading, async (host) => {
  const headers = { origin: 'https://partner.example', cookie: 'session=1', 'sec-fetch-site': 'cross-site' };
  const response = await host.fetch('/cors', { method: 'DELETE', headers });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
    405,
    'https://partner.example',
  ]);
});

behaviour('lets no other origin read them, and says that they depend on it', reading, async (host) => {
  const { headers } = await host.fetch('/cors', { headers: { origin: 'https://evil.example' } });
  expect(headers.get('access-control-allow-origin')).toBe(null);
  expect(headers.get('vary')).toMatch(/\borigin\b/i);
});

behaviour('answers a preflight request before the route', reading, async (host) => {
  const headers = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-sent' };
  const response = await host.send({
    path: '/cors',
    method: 'OPTIONS',
    headers: [host.hostHeader, ['origin', 'https://partner.example'], ...Object.entries(headers)],
  });
  expect([response.status, response.body.length]).toEqual([204, 0]);
  expect(response.header('access-control-allow-origin')).toBe('https://partner.example');
  expect(response.header('access-control-allow-methods')).toBe('PUT, PATCH, DELETE');
  expect(response.header('access-control-allow-headers')).toBe('X-Sent');
  expect(response.header('access-control-max-age')).toBe('600');
});
