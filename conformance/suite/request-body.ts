import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

/** Ways in which a route begins to read a body without awaiting its end. See app/body/uncaught+api.ts. */
const ways = 'text json arrayBuffer blob formData clone reader loop parsed pipeTo cancel fromWeb'.split(' ');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };

for (const way of ways) {
  behaviour(`answers, and the next request too, before an uncaught reading by ${way}`, 'decision 013', async (host) => {
    const isJson = way === 'json' || way === 'parsed';
    const init = { method: 'POST', headers: isJson ? jsonType : form, body: isJson ? '{"a":1}' : 'a=b&c' };
    for (const then of ['return', 'throw']) {
      const response = await host.fetch(`/body/uncaught?way=${way}&then=${then}`, init);
      const text = await response.text();
      if (then === 'return') expect([response.status, text]).toEqual([401, 'refused']);
      else expect(response.status).toBe(500);
    }
    for (let request = 0; request < 3; request++) expect((await host.fetch('/hello')).status).toBe(200);
  });

  // When the client leaves, these fail in the route's own code.
  if (way === 'fromWeb' || way === 'loop') continue;
  behaviour(
    `answers on after a client that left during an uncaught reading by ${way}`,
    'decision 013',
    async (host) => {
      const connection = await host.connect();
      await connection.write({
        method: 'POST',
        target: host.target(`/body/uncaught?way=${way}`),
        headers: [host.hostHeader, ['Content-Length', '1000'], ['Content-Type', form['content-type']]],
        body: 'a part',
      });
      // Hosts that pass on only complete requests never call the route.
      connection.destroy();
      for (let request = 0; request < 5; request++) expect((await host.fetch('/hello')).status).toBe(200);
    },
  );
}
