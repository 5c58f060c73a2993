import type { Method } from 'appkit-server/manifest';
import { describe, expect, it } from 'vitest';

import { placeMiddleware, sortMiddleware, warnOfUnguarded } from '../app/middleware.ts';
import type { MiddlewareFile } from '../app/middleware.ts';
import type { RouteFile } from '../app/scan.ts';
import { toManifest } from './manifest.ts';

function toMiddlewareFile(stem: string): MiddlewareFile {
  const placed = placeMiddleware({ file: `app/${stem}.ts`, output: stem }, { stem });
  if ('message' in placed) throw new Error(placed.message);
  return placed;
}

describe('toManifest', () => {
  it('raises the version for pages too', () => {
    const bundled = { routes: [], middleware: [], jobs: [] };
    const base = { implicitHead: false, strictFetch: true };
    const page = { pattern: '/', file: '_appkit/pages/index.js' };
    expect(toManifest(bundled, base)).toEqual({ version: 1, routes: [] });
    expect(toManifest(bundled, { ...base, pages: [page] })).toEqual({ version: 2, routes: [], pages: [page] });
    expect(toManifest(bundled, { ...base, base: '/shop' })).toEqual({ version: 4, base: '/shop', routes: [] });
    expect(toManifest(bundled, { ...base, notFound: [page] })).toEqual({ version: 2, routes: [], notFound: [page] });
  });

  it('names the folder middleware of everything, the outermost first', () => {
    const middleware = sortMiddleware(
      ['admin/users/', 'admin/', '', '(shop)/', '(other)/admin/', '[tenant]/'].map((folder) =>
        toMiddlewareFile(`${folder}+middleware`),
      ),
    );
    const routeOf = (file: string, pattern: string): RouteFile & { methods: Method[] } => ({
      file: `app/${file}`,
      output: file,
      pattern,
      methods: ['GET'],
    });
    const { routes, pages, folders, version } = toManifest(
      {
        routes: [
          routeOf('admin/users/[id]+api.ts', '/admin/users/[id]'),
          routeOf('(shop)/cart+api.ts', '/cart'),
          routeOf('adminx+api.ts', '/adminx'),
          routeOf('(third)/admin/x+api.ts', '/admin/x'),
          routeOf('[id]/settings+api.ts', '/[id]/settings'),
        ],
        middleware,
        jobs: [],
      },
      {
        implicitHead: false,
        strictFetch: true,
        pages: [{ pattern: '/admin', source: 'app/admin/index.tsx', file: 'page.js' }],
      },
    );
    expect(version).toBe(4);
    const namesOf = (files: readonly string[] = []): string[] =>
      files.map((file) => file.slice(0, -'/+middleware'.length));
    expect(routes.map((route) => namesOf(route.middleware))).toEqual([
      ['admin', '(other)/admin', 'admin/users'],
      ['(shop)'],
      [],
      ['admin', '(other)/admin'],
      ['[tenant]'],
    ]);
    expect(pages).toEqual([
      { pattern: '/admin', file: 'page.js', middleware: ['admin/+middleware', '(other)/admin/+middleware'] },
    ]);
    expect(folders?.map((folder) => [folder.pattern, namesOf(folder.middleware)])).toEqual([
      ['/[tenant]', ['[tenant]']],
      ['/admin', ['admin', '(other)/admin']],
      ['/admin/users', ['admin', '(other)/admin', 'admin/users']],
    ]);
  });
});

it('warns about files that may answer below a folder without its middleware', () => {
  const middleware = ['admin/', '[tenant]/', '(group)/'].map((folder) => toMiddlewareFile(`${folder}+middleware`));
  const warningsOf = (pattern: string): string[] =>
    warnOfUnguarded(middleware, [{ file: `app${pattern}+api.ts`, pattern }]);
  for (const pattern of ['/[section]/report', '/[...path]', '/[section]']) {
    expect(warningsOf(pattern)).toContainEqual(
      expect.stringContaining(
        `app${pattern}+api.ts may answer paths below /admin without running app/admin/+middleware.ts`,
      ),
    );
  }
  for (const pattern of ['/admin/x', '/about/team', '/', '/other/[...path]']) expect(warningsOf(pattern)).toEqual([]);
});
