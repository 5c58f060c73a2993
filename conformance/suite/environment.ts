import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions, withVariables } from '../configurations.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

const helper = 'Runtime helper library: environment';

async function environmentOf(host: Host): Promise<unknown> {
  return (await json(await host.fetch('/environment'))).environment;
}

behaviour('gives null where nothing names the environment', `${helper}, adapters.md case 96`, async (host) => {
  expect(await environmentOf(host)).toBe(null);
});

behaviour('gives null in production', helper, async (host) => {
  const server = await host.configured({ env: { NODE_ENV: 'production' } });
  expect(await environmentOf(server)).toBe(null);
});

behaviour('gives the name in NODE_ENV', 'B7', async (host) => {
  const server = await host.configured(withVariables);
  expect(await environmentOf(server)).toBe('staging');
});

behaviour('prefers the option environment to NODE_ENV', 'B7', async (host) => {
  const server = await host.configured(withOptions);
  expect(await environmentOf(server)).toBe('preview');
});

behaviour('gives null when the option environment says production', 'B7', async (host) => {
  const server = await host.configured({ options: { environment: 'production' }, env: { NODE_ENV: 'staging' } });
  expect(await environmentOf(server)).toBe(null);
});

behaviour('gives the middleware the environment', helper, async (host) => {
  const server = await host.configured(withVariables);
  expect(await json(await server.fetch('/middleware?middleware=context'))).toMatchObject({ environment: 'staging' });
});

behaviour('gives routes every variable at run time', 'B17', async (host) => {
  const server = await host.configured(withVariables);
  expect(await json(await server.fetch('/environment', { method: 'POST' }))).toEqual({
    secret: 'a secret',
    public: 'a name',
    mode: 'staging',
    fromFile: null,
  });
});

behaviour('gives routes no variable that is not set', 'B17', async (host) => {
  const result = await json(await host.fetch('/environment', { method: 'POST' }));
  expect(result).toMatchObject({ secret: null, public: null, mode: null });
});

behaviour('loads no .env file', 'Server build and hosting: Environment variables', async (host) => {
  const file = path.join(host.local.folders.app, '.env');
  await writeFile(file, 'CONFORMANCE_FROM_FILE=loaded\n');
  try {
    await using server = await host.start();
    expect(await json(await server.fetch('/environment', { method: 'POST' }))).toMatchObject({ fromFile: null });
  } finally {
    await rm(file);
  }
});
