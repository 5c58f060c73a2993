import { expect } from 'vitest';
import { behaviour } from '../behaviour.ts';

behaviour('answers, and the next request too, before a body that is read by fromWeb', 'decision 013', async (host) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b&c' };
  const returned = await host.fetch('/body/from-web?then=return', init);
  expect([returned.status, await returned.text()]).toEqual([401, 'refused']);
  expect((await host.fetch('/body/from-web?then=throw', init)).status).toBe(500);
  for (let request = 0; request < 3; request++) expect((await host.fetch('/hello')).status).toBe(200);
});
