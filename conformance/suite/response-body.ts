import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

behaviour('spells the type of a string as Fetch does', 'adapters.md case 16', async (host) => {
  const response = await host.send({ path: '/response/body/string' });
  expect(response.header('content-type')?.toLowerCase()).toBe('text/plain;charset=utf-8');
});
