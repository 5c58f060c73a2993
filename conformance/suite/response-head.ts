import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

behaviour('answers 500 to Response.error()', { source: 'adapters.md case 13', needs: 'plainErrors' }, async (host) => {
  const response = await host.fetch('/response/invalid/error');
  expect(response.status).toBe(500);
  expect(await response.text()).toBe('Internal server error');
});

behaviour(
  'answers 500 to a handler that returns nothing',
  { source: 'adapters.md case 15', needs: 'plainErrors' },
  async (host) => {
    const response = await host.fetch('/response/invalid/undefined');
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('Internal server error');
  },
);

behaviour('answers 500 to a handler that returns something else', 'adapters.md case 15', async (host) => {
  for (const kind of ['null', 'object', 'text', 'number']) {
    expect((await host.fetch(`/response/invalid/${kind}`)).status).toBe(500);
  }
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour('lets a route return the same Response again', 'B5', async (host) => {
  const first = await host.fetch('/response/shared?name=Ada');
  const second = await host.fetch('/response/shared');
  expect([first.status, second.status]).toEqual([403, 403]);
  expect(first.headers.get('x-name')).toBe('Ada');
  expect(second.headers.get('x-name')).toBe(null);
});

behaviour('adds headers to a Response that came from fetch', 'adapters.md case 12', async (host) => {
  const url = encodeURIComponent(`${host.origin}${host.target('/status-error/string')}`);
  const response = await host.fetch(`/response/fetched?url=${url}`);
  expect(response.status).toBe(418);
  expect(response.headers.get('x-added')).toBe('yes');
  expect(await response.json()).toEqual({ error: 'short and stout' });
});
