import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

async function paramsOf(host: Host, path: string): Promise<Record<string, string>> {
  return (await json<{ params: Record<string, string> }>(await host.fetch(path))).params;
}

behaviour(
  'passes a [param] as a string in the second argument',
  'Route function shapes: Handler arguments',
  async (host) => {
    expect(await paramsOf(host, '/params/42')).toEqual({ value: '42' });
  },
);

behaviour('passes several parameters', 'Server routes: Path', async (host) => {
  expect(await paramsOf(host, '/params/a/b')).toEqual({ first: 'a', second: 'b' });
});

behaviour('passes no parameters to a static route', 'Route function shapes: Handler arguments', async (host) => {
  expect(await paramsOf(host, '/routing/static')).toEqual({});
});

behaviour('decodes a parameter', 'B12', async (host) => {
  expect(await paramsOf(host, '/params/caf%C3%A9%20au%20lait')).toEqual({ value: 'café au lait' });
});

behaviour('decodes a parameter once only', 'B12', async (host) => {
  expect(await paramsOf(host, '/params/%2541')).toEqual({ value: '%41' });
});

behaviour('leaves a plus sign in a parameter', 'B12', async (host) => {
  expect(await paramsOf(host, '/params/a+b')).toEqual({ value: 'a+b' });
});

behaviour('keeps an encoded slash inside its parameter', 'B12, B14', async (host) => {
  expect(await paramsOf(host, '/params/a%2Fb')).toEqual({ value: 'a/b' });
});

behaviour('leaves a trailing slash out of a parameter', 'B14', async (host) => {
  expect(await paramsOf(host, '/params/a/')).toEqual({ value: 'a' });
});

behaviour('passes a rest as one string', 'B12', async (host) => {
  expect(await paramsOf(host, '/rest/a/b/c')).toEqual({ path: 'a/b/c' });
});

behaviour('passes a rest of one segment', 'B12', async (host) => {
  expect(await paramsOf(host, '/rest/a')).toEqual({ path: 'a' });
});

behaviour('decodes the segments of a rest', 'B12', async (host) => {
  expect(await paramsOf(host, '/rest/caf%C3%A9/b%20c')).toEqual({ path: 'café/b c' });
});

behaviour('leaves a trailing slash out of a rest', 'B14', async (host) => {
  expect(await paramsOf(host, '/rest/a/b/')).toEqual({ path: 'a/b' });
});

behaviour('passes a parameter and a rest together', 'B12', async (host) => {
  expect(await paramsOf(host, '/params/a/rest/b/c')).toEqual({ first: 'a', rest: 'b/c' });
});

behaviour('passes a parameter whose name every object has', 'B12', async (host) => {
  expect(await paramsOf(host, '/params/constructor/x')).toEqual({ constructor: 'x' });
});

behaviour('passes a parameter whose value every object has', 'B12', async (host) => {
  expect(await paramsOf(host, '/params/__proto__')).toEqual({ value: '__proto__' });
});
