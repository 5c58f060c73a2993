import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

const helper = 'Runtime helper library: origin';

async function originFor(host: Host, header?: string): Promise<unknown> {
  const headers: [string, string][] = header === undefined ? [] : [['Origin', header]];
  const response = await host.send({ path: '/request/head', headers });
  return JSON.parse(response.body.toString()).origin;
}

behaviour('takes origin() from the Origin header', helper, async (host) => {
  expect(await originFor(host, 'https://shop.example')).toBe('https://shop.example');
});

behaviour('keeps the port of the Origin header', helper, async (host) => {
  expect(await originFor(host, 'http://localhost:8081')).toBe('http://localhost:8081');
});

behaviour('takes origin() from the URL when there is no Origin header', 'B6', async (host) => {
  expect(await originFor(host)).toBe(host.origin);
});

behaviour('never gives the origin "null"', 'B6', async (host) => {
  expect(await originFor(host, 'null')).toBe(host.origin);
});

behaviour('ignores an Origin header that is not http or https', 'B6', async (host) => {
  expect(await originFor(host, 'chrome-extension://abc')).toBe(host.origin);
  expect(await originFor(host, 'file://')).toBe(host.origin);
});

behaviour('ignores an Origin header that is not one origin', 'B6', async (host) => {
  for (const header of [
    'https://a.example https://b.example',
    'https://a.example/path',
    'https://u@a.example',
    'nonsense',
    '',
  ]) {
    expect([header, await originFor(host, header)]).toEqual([header, host.origin]);
  }
});

behaviour('takes an Origin header that the option origins lists', 'B6', async (host) => {
  const server = await host.configured(withOptions);
  expect(await originFor(server, 'https://shop.example')).toBe('https://shop.example');
});

behaviour('ignores an Origin header that the option origins does not list', 'B6', async (host) => {
  const server = await host.configured(withOptions);
  expect(await originFor(server, 'https://evil.example')).toBe(server.origin);
  expect(await originFor(server, 'https://shop.example.evil.example')).toBe(server.origin);
});

behaviour('gives the middleware the origin', helper, async (host) => {
  const response = await host.fetch('/middleware?middleware=context', { headers: { origin: 'https://shop.example' } });
  expect(await json(response)).toMatchObject({ origin: 'https://shop.example' });
});
