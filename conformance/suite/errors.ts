import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';
import { uniqueId } from '../generic/signals.ts';

async function expectInternalServerError(host: Host, path: string, init?: RequestInit): Promise<void> {
  const response = await host.fetch(path, init);
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toBe('Internal server error');
  expect(JSON.stringify([...response.headers]) + response.statusText).not.toContain('secret');
}

behaviour(
  'says nothing but "Internal server error" when a route throws',
  { source: 'Errors: Error thrown during a request, B2', needs: 'plainErrors' },
  async (host) => {
    await expectInternalServerError(host, '/errors/throw');
    await expectInternalServerError(host, '/errors/throw', { method: 'POST' });
    for (const value of ['text', 'undefined', 'null', 'object']) {
      await expectInternalServerError(host, `/errors/throw?value=${value}`);
    }
  },
);

behaviour('answers 500 when the middleware throws', { source: 'B2', needs: 'plainErrors' }, async (host) => {
  await expectInternalServerError(host, '/middleware?middleware=error');
});

behaviour(
  'answers 500 when the middleware returns what is no Response',
  { source: 'B15', needs: 'plainErrors' },
  async (host) => {
    await expectInternalServerError(host, '/middleware?middleware=invalid');
  },
);

behaviour(
  'answers 500 when a route cannot be loaded, every time',
  { source: 'B2', needs: 'plainErrors' },
  async (host) => {
    await expectInternalServerError(host, '/errors/at-load');
    await expectInternalServerError(host, '/errors/at-load');
  },
);

behaviour('prints an unhandled error where no onError is given', 'B2', async (host) => {
  const server = await host.configured();
  const id = uniqueId();
  expect((await server.fetch(`/errors/reported?id=${id}`)).status).toBe(500);
  await server.waitForOutput(new RegExp(`reported ${id}`));
});

behaviour(
  'goes on after an error whose printing fails',
  { source: 'docs/guide/errors.md', needs: 'plainErrors' },
  async (host) => {
    const server = await host.configured();
    await expectInternalServerError(server, '/errors/unprintable');
    expect((await server.fetch('/hello')).status).toBe(200);
  },
);

behaviour('prints the stack of an error whose printing fails', 'docs/guide/errors.md', async (host) => {
  const server = await host.configured();
  const id = uniqueId();
  expect((await server.fetch(`/errors/unprintable?id=${id}`)).status).toBe(500);
  await server.waitForOutput(new RegExp(`unprintable ${id}`));
});

behaviour('gives onError the error and the request', 'B2', async (host) => {
  const server = await host.configured(withOptions);
  const id = uniqueId();
  expect((await server.fetch(`/errors/reported?id=${id}`)).status).toBe(500);
  const [line] = await server.waitForOutput(new RegExp(`onError: .*${id}.*`));
  expect(line).toBe(`onError: GET ${server.origin}${server.target(`/errors/reported?id=${id}`)}: reported ${id}`);
});

behaviour('sends the Response that onError returns in place of the 500', 'docs/guide/operations.md', async (host) => {
  await using server = await host.start({ options: {}, env: { APPKIT_ON_ERROR: 'answer' } });
  const id = uniqueId();
  const response = await server.fetch(`/errors/reported?id=${id}`);
  expect(response.status).toBe(503);
  // Bun (1.4) adds a charset.
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual({ told: `reported ${id}` });
  expect((await server.fetch('/hello')).status).toBe(200);
});

behaviour('answers 500 all the same when onError throws', 'B2', async (host) => {
  await using server = await host.start({ options: {}, env: { APPKIT_ON_ERROR: 'throw' } });
  await expectInternalServerError(server, '/errors/throw');
  expect((await server.fetch('/hello')).status).toBe(200);
});
