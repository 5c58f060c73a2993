import { expect, it } from 'vitest';
import { onlyFor } from './only-for.ts';

it('answers the names that appkit start answers, and no others', async () => {
  const handler = onlyFor('app.example', () => new Response('answered'));
  const ask = async (host: string): Promise<number> =>
    (await handler(new Request('http://localhost/', { headers: { host } }))).status;
  expect(await Promise.all(['localhost:3000', '127.0.0.1:3000', 'app.example'].map(ask))).toEqual([200, 200, 200]);
  expect(await Promise.all(['evil.example', '', '192.0.2.1'].map(ask))).toEqual([403, 403, 403]);
});
