import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

behaviour('answers with a thrown Response as it is', 'Errors: Response thrown', async (host) => {
  const response = await host.fetch('/thrown-response', { method: 'POST' });
  expect(response.status).toBe(409);
  expect(response.headers.get('x-own')).toBe('kept');
  expect(await response.text()).toBe('thrown as it is');
});

behaviour('redirects with a thrown Response', 'Runtime helper library: thrown Response', async (host) => {
  const response = await host.fetch('/thrown-response');
  expect(response.status).toBe(307);
  expect(response.headers.get('location')).toBe(`${host.origin}/hello`);
});

behaviour(
  'answers with a Response thrown by the middleware',
  'Runtime helper library: thrown Response',
  async (host) => {
    const response = await host.fetch('/middleware?middleware=throw-response');
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('thrown by middleware');
  },
);
