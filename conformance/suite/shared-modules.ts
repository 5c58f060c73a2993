import { randomUUID } from 'node:crypto';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

const once = 'One instance of every module';

async function keep(host: Host): Promise<{ id: string; count: unknown }> {
  const id = randomUUID();
  const kept = await json(await host.fetch(`/shared/notes?id=${id}`, { method: 'POST' }));
  return { id, count: kept['count'] };
}

behaviour('shares the state of a module between two routes', once, async (host) => {
  const { id } = await keep(host);
  expect(await json(await host.fetch(`/shared/found?id=${id}`))).toMatchObject({ note: { number: 1 } });
});

behaviour('shares the state of a module between middleware and a route', once, async (host) => {
  const id = randomUUID();
  await host.fetch(`/middleware?middleware=note&id=${id}`);
  expect(await json(await host.fetch(`/shared/found?id=${id}`))).toMatchObject({ note: 'from middleware' });
});

behaviour('shares the state of modules between a route and the loader of a page', once, async (host) => {
  const { id } = await keep(host);
  const page = await host.fetch(`/site/data/shared?id=${id}`);
  expect(await page.text()).toContain('<p>ticket true, later true, words true, visited true</p>');
  const found = await json(await host.fetch(`/shared/found?id=${id}%20of%20the%20page`));
  expect(found).toMatchObject({ note: `from the page of ${id}` });
});

behaviour('shares the state of a module between two pages', once, async (host) => {
  const id = randomUUID();
  await host.fetch(`/site/data/shared?id=${id}`);
  const page = await host.fetch(`/site/data/also-shared?id=${id}`);
  expect(await page.text()).toContain(`<p>note from the page of ${id}</p>`);
});

behaviour('knows an instance that another route made by its class', once, async (host) => {
  const { id } = await keep(host);
  expect(await json(await host.fetch(`/shared/found?id=${id}`))).toMatchObject({ isTicket: true });
});

behaviour('shares the state of packages between routes', once, async (host) => {
  const { id, count } = await keep(host);
  const found = await json(await host.fetch(`/shared/found?id=${id}`));
  expect(found).toMatchObject({ remembers: true, count: Number(count) + 1 });
});

// In an app without middleware for every path: that would enter the context of the request.
behaviour(
  'lets a route call a helper that another route put into a module',
  { source: once, needs: 'ownBase' },
  async (host) => {
    const server = await host.configured({ app: 'app-below' });
    const ask = async (path: string, origin: string): Promise<unknown> =>
      JSON.parse((await server.send({ path: `/shop/eu${path}`, headers: [['Origin', origin]] })).body.toString());
    expect(await ask('/origin', 'https://one.example')).toBe('https://one.example');
    expect(await ask('/origin-through', 'https://other.example')).toBe('https://other.example');
  },
);

behaviour('gives import() the module that an import has', once, async (host) => {
  expect(await json(await host.fetch('/shared/found?id=none'))).toMatchObject({ isSameLater: true });
});

// The following behaviours are the first to load their modules, so each has its own, on a server that has not been asked for them.

behaviour('runs shared modules once, in the order of the first imports', once, async (host) => {
  const server = await host.configured();
  expect(await json(await server.fetch('/shared/once/all'))).toEqual(['first', 'second', 'third']);
  expect(await json(await server.fetch('/shared/once/some'))).toEqual(['first', 'second', 'third']);
});

behaviour('runs no module of another route', once, async (host) => {
  const server = await host.configured();
  expect(await json(await server.fetch('/shared/alone/some'))).toEqual(['second', 'third']);
  expect(await json(await server.fetch('/shared/alone/all'))).toEqual(['second', 'third', 'first']);
});

behaviour('fails only the routes that import a module that throws', once, async (host) => {
  const server = await host.configured();
  expect((await server.fetch('/shared/fails/first')).status).toBe(500);
  expect(await json(await server.fetch('/shared/fails/not'))).toEqual({ seen: 1 });
  expect((await server.fetch('/shared/fails/second')).status).toBe(500);
});

behaviour('runs a shared module that threw again for the next request', once, async (host) => {
  const server = await host.configured();
  expect((await server.fetch('/shared/fails/again')).status).toBe(500);
  expect((await server.fetch('/shared/fails/again')).status).toBe(500);
  const expected = { loaded: 'at last', attempts: 3 };
  expect(await json(await server.fetch('/shared/fails/again'))).toEqual(expected);
  expect(await json(await server.fetch('/shared/fails/again-too'))).toEqual(expected);
});

behaviour('keeps the state of what a module that threw has imported', once, async (host) => {
  const server = await host.configured();
  expect((await server.fetch('/shared/fails/own')).status).toBe(500);
  expect((await server.fetch('/shared/fails/own')).status).toBe(500);
  expect(await json(await server.fetch('/shared/fails/own'))).toEqual({ loadedWith: 1 });
});

behaviour('never gives out half of a CommonJS module that threw', once, async (host) => {
  const server = await host.configured();
  expect((await server.fetch('/shared/fails/half-first')).status).toBe(500);
  expect((await server.fetch('/shared/fails/half-second')).status).toBe(500);
  expect(await json(await server.fetch('/shared/fails/half-first'))).toEqual({ first: 1, second: 2 });
});

behaviour('runs the modules of pages in the order of their imports', once, async (host) => {
  const server = await host.configured();
  const page = await server.fetch('/site/data/order/all');
  expect(await page.text()).toContain('<p>of one page, second, third, of two pages</p>');
});

behaviour('runs no module of another page', once, async (host) => {
  const server = await host.configured();
  expect(await (await server.fetch('/site/data/order/alone')).text()).toContain('<p>of two pages</p>');
});

behaviour('never gives pages half of a CommonJS module that threw', once, async (host) => {
  const server = await host.configured();
  expect((await server.fetch('/site/data/half')).status).toBe(500);
  expect((await server.fetch('/site/data/also-half')).status).toBe(500);
  const page = await server.fetch('/site/data/half');
  expect(await page.text()).toContain('<p>{&quot;first&quot;:1,&quot;second&quot;:2}</p>');
});

const modes = 'ECMA-262 section 11.2.2: Strict Mode Code';

behaviour('runs ES modules in strict mode, and CommonJS modules that ask for it', modes, async (host) => {
  expect(await json(await host.fetch('/shared/modes'))).toMatchObject({ route: true, es: true, strict: true });
  expect(await json(await host.fetch('/shared/strict'))).toBe(true);
});

behaviour('runs other CommonJS modules in sloppy mode', modes, async (host) => {
  expect(await json(await host.fetch('/shared/modes'))).toMatchObject({ sloppy: false });
});

behaviour('runs in strict mode what a module in sloppy mode requires, if it asks for it', modes, async (host) => {
  expect(await json(await host.fetch('/shared/modes'))).toMatchObject({ required: true });
});
