import { describe, expect, it } from 'vitest';
import { buildOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';
import { createHandler } from '../handler.ts';
import type { HostContext } from '../request/handler-context.ts';
import { toCanonicalPath } from './trailing-slash.ts';
import type { TrailingSlash } from './trailing-slash.ts';

const page = { GET: () => new Response('page') };
const app: App = {
  pages: { '/': page, '/about': page, '/posts/[...path]': page, '/both': page, '/[...any]': page },
  routes: { '/api': { GET: () => new Response('route') }, '/both': { POST: () => new Response('route') } },
  rewrites: [{ source: '/me', destination: '/posts/self/' }],
};

async function ask(
  target: string,
  { policy, method = 'GET', host }: { policy: TrailingSlash; method?: string; host?: HostContext },
): Promise<[status: number, location: string | null]> {
  const build = buildOf(app);
  build.manifest.trailingSlash = policy;
  const { status, headers } = await createHandler(build)(new Request(`http://app.test${target}`, { method }), host);
  return [status, headers.get('location')];
}

it('changes only the end of a path, whatever is in its middle', () => {
  expect(toCanonicalPath('/a//b', 'always')).toBe('/a//b/');
  expect(toCanonicalPath('/a//b/', 'never')).toBe('/a//b');
  for (const path of ['/', '/a//', '//a', String.raw`/\a`]) expect(toCanonicalPath(path, 'always')).toBe(path);
});

describe('a page whose path does not end as configured', () => {
  it('redirects to the path without a slash', async () => {
    const policy = 'never';
    expect(await ask('/about/', { policy })).toEqual([308, '/about']);
    expect(await ask('/posts/a%2F/?q=/&r', { policy })).toEqual([308, '/posts/a%2F?q=/&r']);
    expect(await ask('/posts/a//b/', { policy })).toEqual([308, '/posts/a//b']);
    expect(await ask('/about/', { policy, method: 'HEAD' })).toEqual([308, '/about']);
    expect(await ask('/about', { policy })).toEqual([200, null]);
    expect(await ask('/', { policy })).toEqual([200, null]);
  });

  it('redirects to the path with a slash', async () => {
    const policy = 'always';
    expect(await ask('/about?a=1', { policy })).toEqual([308, '/about/?a=1']);
    expect(await ask('/about/', { policy })).toEqual([200, null]);
    expect(await ask('/', { policy })).toEqual([200, null]);
  });

  it('never redirects to another host', async () => {
    for (const path of ['//evil.example/', '//evil.example', '//', '/%5Cevil.example//'] as const) {
      for (const policy of ['never', 'always'] as const) {
        const [, location] = await ask(path, { policy });
        expect([path, location === null || !/^[/\\]{2}/.test(location)]).toEqual([path, true]);
      }
    }
    expect(await ask('//evil.example/about/', { policy: 'never', host: { basePath: '//evil.example' } })).toEqual([
      200,
      null,
    ]);
  });

  it('redirects to a path below the mount', async () => {
    expect(await ask('/sub/about/', { policy: 'never', host: { basePath: '/sub' } })).toEqual([308, '/sub/about']);
  });

  it('answers a request for its data with their location', async () => {
    const build = buildOf(app);
    build.manifest.trailingSlash = 'never';
    const { status, headers } = await createHandler(build)(new Request('http://app.test/about/?a&_appkit_data='));
    expect([status, headers.get('appkit-redirect')]).toEqual([204, '/about?a']);
  });

  it("is answered by the visited path, not by a rewrite's destination", async () => {
    expect(await ask('/me', { policy: 'never' })).toEqual([200, null]);
    expect(await ask('/me/', { policy: 'never' })).toEqual([308, '/me']);
  });
});

it('ignores routes, other methods and paths without a page', async () => {
  expect(await ask('/api/', { policy: 'never' })).toEqual([200, null]);
  expect(await ask('/api', { policy: 'always' })).toEqual([200, null]);
  expect(await ask('/both', { policy: 'always', method: 'POST' })).toEqual([200, null]);
  const build = buildOf({ pages: { '/about': page } });
  build.manifest.trailingSlash = 'never';
  expect((await createHandler(build)(new Request('http://app.test/nowhere/'))).status).toBe(404);
});

describe('toCanonicalPath', () => {
  const table: [pathname: string, policy: TrailingSlash | undefined, canonical: string][] = [
    ['/a/', undefined, '/a/'],
    ['/a', 'never', '/a'],
    ['/a/', 'never', '/a'],
    ['/a//', 'never', '/a//'],
    ['/a', 'always', '/a/'],
    ['//', 'never', '//'],
    ['//a', 'always', '//a'],
  ];
  it.each(table)('of %s by %s is %s', (pathname, policy, canonical) =>
    expect(toCanonicalPath(pathname, policy)).toBe(canonical),
  );
});
