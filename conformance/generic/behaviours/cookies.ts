import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';

behaviour('sends several cookies as several header lines', { standard: 'RFC 6265 section 3' }, async (server) => {
  const response = await server.send({ path: '/cookies/several' });
  expect(response.values('set-cookie')).toHaveLength(3);
});

behaviour('keeps a cookie with a comma whole', { standard: 'RFC 6265 section 3' }, async (server) => {
  const response = await server.send({ path: '/cookies/several' });
  expect(response.values('set-cookie')[1]).toBe('b=2; Expires=Wed, 21 Oct 2032 07:28:00 GMT; Secure');
});

behaviour(
  'sends cookies in the order in which they were added',
  { standard: 'RFC 9110 section 5.3' },
  async (server) => {
    const names = (await server.fetch('/cookies/several')).headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
    expect(names).toEqual(['a', 'b', 'c']);
  },
);
