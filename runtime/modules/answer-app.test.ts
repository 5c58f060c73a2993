import { describe, expect, it } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import { cache } from '../keep.ts';

const routes = { '/': { GET: () => new Response('route') } };

describe('the function of an instrumentation', () => {
  it('wraps answers to paths that cannot be decoded or are outside of the mount like those of /', async () => {
    const config = { matcher: { patterns: ['/'] } };
    const handler = handlerOf({ routes, instrumentation: { default: () => new Response('seen'), config } });
    const textOf = async (path: string, basePath?: string): Promise<string> =>
      (await handler(new Request(`http://app.test${path}`), { basePath })).text();
    expect(await Promise.all([textOf('/'), textOf('/%zz'), textOf('/other', '/shop')])).toEqual(Array(3).fill('seen'));
    expect(await textOf('/other')).toBe('Not found');
  });

  it('decides how an answer is kept if no rule is for its path', async () => {
    const handler = handlerOf({
      routes,
      usesCache: true,
      cache: [{ source: '/other', maxAge: 1 }],
      instrumentation: { default: () => cache({ maxAge: 60 }) },
    });
    const { headers } = await handler(new Request('http://app.test/'));
    expect(headers.get('cdn-cache-control')).toBe('public, max-age=60');
  });
});
