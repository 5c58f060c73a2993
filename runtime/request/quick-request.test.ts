import { expect, it, vi } from 'vitest';

it('asks the Request class of the adapter for a header and for the view of middleware', async () => {
  // The registered functions are those of the process.
  vi.resetModules();
  const { offerQuickRequests, quickHeader, quickView } = await import('./quick-request.ts');
  const { handlerOf } = await import('../fixtures/app.ts');
  const { requestStore } = await import('./context.ts');
  const request = new Request('http://app.test/');
  const view = new Request('http://app.test/view');
  expect([quickHeader(request, 'x-a'), quickView(request)]).toEqual([undefined, undefined]);
  offerQuickRequests({
    header: (asked, name) => (asked === request ? `quick ${name}` : undefined),
    view: (asked) => (asked === request ? view : undefined),
  });
  const seen: unknown[] = [];
  const handler = handlerOf({
    middleware: { default: (given: Request) => void seen.push(given.url) },
    routes: { '/': { GET: () => new Response(requestStore().getStore()?.header('x-a')) } },
  });
  expect(await (await handler(request)).text()).toBe('quick x-a');
  expect(seen).toEqual(['http://app.test/view']);
});
