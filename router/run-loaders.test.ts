import { expect, it } from 'vitest';
import { runPage } from './run-loaders.ts';
import type { PageModule } from './site.ts';

const Component = (): null => null;
const toModule = (parts: Partial<PageModule>): PageModule => ({ default: Component, ...parts });
const withCookie = (cookie: string): Response =>
  Response.json(cookie, { headers: { 'set-cookie': cookie, 'x-a': 'b' } });
const away = (): Response => Response.redirect('https://app.example/sign-in', 303);

function run(modules: PageModule[], method = 'GET') {
  return runPage(modules, { request: new Request('https://app.example/page', { method }), params: {} });
}

it('keeps the cookies of an action when a loader redirects after it', async () => {
  const { redirect } = await run([toModule({ action: () => withCookie('session='), loader: away })], 'POST');
  expect([redirect?.status, [...(redirect?.headers ?? [])]]).toEqual([
    303,
    [
      ['location', 'https://app.example/sign-in'],
      ['set-cookie', 'session='],
    ],
  ]);
});

it('gives loaders after an action its request as a GET, with the same signal', async () => {
  const seen: Request[] = [];
  const both = {
    action: (request: Request) => void seen.push(request),
    loader: (request: Request) => void seen.push(request),
  };
  await run([toModule(both)], 'POST');
  const [sent, shown] = seen;
  expect([sent?.method, shown?.method, shown?.url]).toEqual(['POST', 'GET', sent?.url]);
  expect(shown?.signal).toBe(sent?.signal);
});

it('keeps the cookies of the other loaders when one redirects', async () => {
  const layout = toModule({ loader: () => withCookie('a=1') });
  const inner = toModule({ loader: () => withCookie('b=2') });
  for (const modules of [
    [layout, inner, toModule({ loader: away })],
    [toModule({ loader: away }), layout, inner],
  ]) {
    const { redirect } = await run(modules);
    expect(redirect?.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  }
});

it('sets the cookies of a redirect once', async () => {
  const headers = { location: '/sign-in', 'set-cookie': 'session=' };
  const leaving = toModule({ loader: () => new Response(null, { status: 303, headers }) });
  const { redirect } = await run([toModule({ loader: () => withCookie('a=1') }), leaving]);
  expect(redirect?.headers.getSetCookie()).toEqual(['session=', 'a=1']);
});

it('names a status that no page can have', async () => {
  const { failure } = await run([toModule({ loader: () => new Response(null, { status: 204 }) })]);
  expect(failure).toMatchObject({ level: 0, error: { message: expect.stringContaining('status 204') as string } });
});

it.each([
  ['status 200', Response.json({ problem: 'lost' })],
  ['status 302 without a Location', new Response(null, { status: 302 })],
])('names a thrown Response that is neither a redirect nor an error: %s', async (what, response) => {
  const thrown = (): never => {
    throw response;
  };
  const message = `A loader or an action threw a Response with ${what}, which is neither a redirect nor an error. Return the data or Response.json(data).`;
  for (const { failure } of [
    await run([toModule({ loader: thrown })]),
    await run([toModule({ action: thrown })], 'POST'),
  ]) {
    expect(failure).toMatchObject({ level: 0, error: { message } });
  }
});
