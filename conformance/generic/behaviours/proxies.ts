import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';

behaviour('ignores forwarded headers by default', { quality: 'any client can send them' }, async (server) => {
  const response = await server.send({
    path: '/request/head',
    headers: [
      ['X-Forwarded-Host', 'evil.com'],
      ['X-Forwarded-Proto', 'https'],
      ['Forwarded', 'host=evil.com;proto=https'],
    ],
  });
  const { url, origin } = JSON.parse(response.body.toString()) as { url: string; origin: string };
  expect([origin, url]).toEqual([server.origin, `${server.origin}${server.target('/request/head')}`]);
});
