import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

const limits = 'Limits, lifted by DECISIONS';

function dependencies(host: Host): Promise<Record<string, unknown>> {
  return host.fetch('/bundle/dependencies').then((response) => json(response));
}

behaviour('runs a route that imports an ES module package', limits, async (host) => {
  expect((await dependencies(host)).esm).toBe('Hello, route');
});

behaviour('runs a route that imports a CommonJS package', limits, async (host) => {
  expect((await dependencies(host)).cjs).toEqual(['ROUTE!', 'object']);
});

behaviour('runs a route that imports dynamically', limits, async (host) => {
  expect((await dependencies(host)).dynamic).toBe('loaded later');
});

behaviour('runs a route that imports built-in modules of Node', limits, async (host) => {
  expect((await dependencies(host)).builtin).toBe('b.txt');
});

behaviour('gives a route an import.meta.url that is its own file', limits, async (host) => {
  const own = await json(await host.fetch('/bundle/own-file'));
  expect(own).toEqual({ file: 'own-file+api.js', readable: true, required: 'function' });
});

behaviour('runs TypeScript that is more than types', 'Route function shapes: Route file', async (host) => {
  expect((await dependencies(host)).mood).toBe('calm');
});
