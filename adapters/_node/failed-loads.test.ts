import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const here = (name: string): string => JSON.stringify(new URL(name, import.meta.url));

it('goes on if its own files cannot be loaded for a while, as when a process has too many open', async () => {
  const script = `
    import { createServer } from 'node:http';
    import { registerHooks } from 'node:module';
    import { createRequestHandler } from ${here('../node/index.ts')};
    import { buildOf } from ${here('../../runtime/fixtures/app.ts')};
    import { cache } from ${here('../../runtime/index.ts')};
    const failing = new Set(['_cache/parts.ts', '_compress/coder.ts']);
    registerHooks({
      load(url, context, next) {
        for (const name of failing) if (url.endsWith(name) && failing.delete(name)) throw new Error('EMFILE ' + name);
        return next(url, context);
      },
    });
    let count = 0;
    const GET = () => {
      cache({ maxAge: 60 });
      return new Response('so it goes on. '.repeat(200) + ++count);
    };
    const build = buildOf({ usesCache: true, routes: { '/': { GET } } });
    for (const route of build.manifest.routes) route.usesCache = true;
    const onError = ({ message }) => console.log(message);
    const server = createServer(createRequestHandler({ build, onError })).listen(0, '127.0.0.1', async () => {
      for (let asked = 0; asked < 4; asked++) {
        const answer = await fetch('http://127.0.0.1:' + server.address().port, { headers: { 'accept-encoding': 'gzip' } });
        console.log(answer.status, answer.headers.get('content-encoding'), (await answer.text()).split(' ').at(-1));
      }
      process.exit(3);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([said.trim().split('\n'), code]).toEqual([
    ['EMFILE _cache/parts.ts', 'EMFILE _compress/coder.ts', '500 null error', '200 gzip 2', '200 gzip 2', '200 gzip 2'],
    3,
  ]);
});
