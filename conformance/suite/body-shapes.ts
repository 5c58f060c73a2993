import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

const from = { source: 'getsentry/warden#484', extra: 'bodyShapes' } as const;

async function post(host: Host, path: string, type: string, body: string): Promise<Response> {
  return host.fetch(path, { method: 'POST', body, headers: { 'content-type': type } });
}

for (const [shape, what] of [
  ['rawBody', 'has read, with its bytes in rawBody'],
  ['neverFlowing', 'holds without an event that tells of it'],
] as const) {
  behaviour(`gives the exact bytes of a body that the platform ${what}`, from, async (host) => {
    const server = await host.configured({ env: { APPKIT_BODY_SHAPE: shape } });
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'image/png']) {
      const response = await post(server, '/body/text', type, '{ "spaced":   1.0 }');
      expect((await json(response)).text).toBe('{ "spaced":   1.0 }');
    }
  });
}

behaviour('gives what a body says that the platform has read and parsed', from, async (host) => {
  const server = await host.configured({ env: { APPKIT_BODY_SHAPE: 'parsedBody' } });
  const sent = { list: [1, { deep: null }], text: 'żółw' };
  const type = 'application/x-www-form-urlencoded';
  expect(await json(await post(server, '/body/json', 'application/json', JSON.stringify(sent)))).toEqual({
    received: sent,
  });
  expect(await json(await post(server, '/body/json', 'application/json', '"word"'))).toEqual({ received: 'word' });
  expect((await json(await post(server, '/body/text', type, 'a=1&a=2&b=x+y'))).text).toBe('a=1&a=2&b=x+y');
  expect((await json(await post(server, '/body/text', 'text/plain', 'żółw'))).text).toBe('żółw');
  expect((await json(await post(server, '/body/text', 'application/octet-stream', 'żółw'))).text).toBe('żółw');
});

behaviour('answers 500 for a body of which the platform has left nothing', from, async (host) => {
  const server = await host.configured({ env: { APPKIT_BODY_SHAPE: 'parsedBody' } });
  expect((await post(server, '/body/text', 'image/png', 'bytes')).status).toBe(500);
  await server.waitForOutput(/was read before the handler was called/);
});
