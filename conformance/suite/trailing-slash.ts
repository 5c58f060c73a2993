import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

const source = 'docs/guide/pages.md: The end of a path';

behaviour('sends a page with a slash at its end to the path without, by the config', source, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  for (const path of ['/pages/written', '/pages/rendered']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, header, body } = await server.send({ method, path: `${path}/?a=1&b=%2F` });
      expect([method, status, header('location'), body.length]).toEqual([
        method,
        308,
        `${server.target(path)}?a=1&b=%2F`,
        0,
      ]);
    }
  }
});

behaviour('answers a page at the path that the config says', source, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  expect((await server.send({ path: '/pages/written?a=1' })).status).toBe(200);
});

behaviour('says to who asks for the data of a page where they are, by the config', source, async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { status, header } = await server.send({ path: '/pages/rendered/?a=1&_appkit_data' });
  expect([status, header('appkit-redirect')]).toEqual([204, `${server.target('/pages/rendered')}?a=1`]);
});

behaviour(
  'answers routes with and without a slash at the end, whatever the config says of pages',
  source,
  async (host) => {
    const server = await host.configured({ app: 'app-catch-all' });
    for (const path of ['/headers/own', '/headers/own/']) expect((await server.send({ path })).status).toBe(200);
  },
);
