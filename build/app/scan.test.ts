import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { createProject } from '../fixtures/create-project.ts';
import { scanRoutes } from './scan.ts';
import type { RouteFiles } from './scan.ts';

async function scan(names: readonly string[]): Promise<RouteFiles> {
  const projectRoot = await createProject(Object.fromEntries(names.map((name) => [`app/${name}`, ''])));
  return scanRoutes(path.join(projectRoot, 'app'), { projectRoot });
}

describe('scanRoutes', () => {
  it('finds routes in dot folders, groups and under names with dots, spaces and accents', async () => {
    const { routes, problems } = await scan([
      '.well-known/x+api.ts',
      '(shop)/cart+api.ts',
      'feed.xml+api.ts',
      'a b+api.ts',
      'café+api.ts',
      '[id]/index+api.ts',
    ]);
    expect(problems).toEqual([]);
    expect(routes.map(({ pattern, output }) => [pattern, output])).toEqual([
      ['/cart', '_appkit/functions/(shop)/cart+api.js'],
      ['/.well-known/x', '_appkit/functions/.well-known/x+api.js'],
      ['/[id]', '_appkit/functions/[id]/index+api.js'],
      ['/a b', '_appkit/functions/a b+api.js'],
      ['/café', '_appkit/functions/café+api.js'],
      ['/feed.xml', '_appkit/functions/feed.xml+api.js'],
    ]);
  });

  it('composes accents, because file systems differ', async () => {
    const { routes } = await scan(['cafe\u0301+api.ts']);
    expect(routes).toMatchObject([{ pattern: '/caf\u00e9', output: '_appkit/functions/caf\u00e9+api.js' }]);
  });

  // Windows has no such names.
  it.skipIf(path.sep === '\\')('refuses names that bundlers cannot read', async () => {
    const { problems, ...found } = await scan(['why?+api.ts', 'a?b/page.tsx', 'back\\slash.tsx', 'fine+api.ts']);
    expect([found.routes.map(({ file }) => file), found.pages]).toEqual([['app/fine+api.ts'], []]);
    expect(problems.map(({ file, message, fix }) => `${file}: ${message} ${fix}`).toSorted()).toEqual([
      'app/a?b/page.tsx: Bundlers cannot read a file with ? in its path. Rename it, or its folder.',
      'app/back\\slash.tsx: Bundlers cannot read a file with \\ in its path. Rename it, or its folder.',
      'app/why?+api.ts: Bundlers cannot read a file with ? in its path. Rename it, or its folder.',
    ]);
  });

  it('ignores declarations, other kinds of files and node_modules', async () => {
    const found = await scan(['types.d.ts', 'README.md', 'style.css', 'node_modules/x/index.js']);
    expect(found).toEqual({ routes: [], middleware: [], jobs: [], pages: [], problems: [], warnings: [] });
  });

  it('treats every other source file as a page', async () => {
    const { pages } = await scan([
      'index.tsx',
      '_layout.tsx',
      '+html.tsx',
      '+not-found.tsx',
      'a+api.test.ts',
      'lib.ts',
    ]);
    expect(pages).toEqual([
      'app/+html.tsx',
      'app/+not-found.tsx',
      'app/_layout.tsx',
      'app/a+api.test.ts',
      'app/index.tsx',
      'app/lib.ts',
    ]);
  });

  it('says how to rename a file with a platform extension', async () => {
    const { problems } = await scan(['a/hello+api.web.ts', 'x.ios+api.js', '+middleware.native.ts']);
    expect(problems.map(({ file, fix }) => [file, fix])).toEqual([
      ['app/+middleware.native.ts', 'Rename it to +middleware.ts.'],
      ['app/a/hello+api.web.ts', 'Rename it to hello+api.ts.'],
      ['app/x.ios+api.js', 'Rename it to x+api.js.'],
    ]);
  });

  it('names all files that answer the same URL, once', async () => {
    const { problems } = await scan([
      '(a)/[id]+api.ts',
      '(b)/[slug]+api.ts',
      '[x]/index+api.ts',
      'y+api.ts',
      'y+api.js',
    ]);
    expect(problems.map(({ file, message }) => [file, message])).toEqual([
      ['app/(a)/[id]+api.ts', 'It answers the same URL as app/(b)/[slug]+api.ts and app/[x]/index+api.ts: /[id].'],
      ['app/y+api.js', 'It answers the same URL as app/y+api.ts: /y.'],
    ]);
  });

  it('accepts middleware in folders, but neither two in one folder nor one in a folder that cannot be a path', async () => {
    const names = [
      '+instrumentation.ts',
      'a/+instrumentation.ts',
      '+middleware.ts',
      'a/+middleware.ts',
      'a/+middleware.js',
      '(g)/a/[id]/+middleware.ts',
      '(g)/+middleware.ts',
    ];
    const { middleware, problems } = await scan([...names, 'b/[...all]/c/+middleware.ts']);
    expect(middleware.map(({ file, pattern, role }) => [file, pattern, role])).toEqual([
      ['app/+instrumentation.ts', '/', 'instrumentation'],
      ['app/+middleware.ts', '/', 'top'],
      ['app/(g)/+middleware.ts', '/', 'folder'],
      ['app/a/+middleware.js', '/a', 'folder'],
      ['app/a/+middleware.ts', '/a', 'folder'],
      ['app/(g)/a/[id]/+middleware.ts', '/a/[id]', 'folder'],
    ]);
    expect(problems.map(({ file, message }) => [file, message])).toEqual([
      ['app/a/+instrumentation.ts', 'It would never run: +instrumentation is for the whole app.'],
      ['app/b/[...all]/c/+middleware.ts', expect.stringContaining('nothing can follow it')],
      ['app/a/+middleware.js', 'Another file has the same name: app/a/+middleware.ts.'],
    ]);
  });

  it('says how to rename a file that was meant to be middleware', async () => {
    const { pages, problems } = await scan(['_Middleware.ts', 'admin/_middleware.js', 'middleware.mts']);
    expect(pages).toEqual([]);
    expect(problems.map(({ file, fix }) => [file, fix])).toEqual([
      ['app/_Middleware.ts', 'Rename it to +middleware.ts, or move it out of the routes folder.'],
      ['app/admin/_middleware.js', 'Rename it to +middleware.js, or move it out of the routes folder.'],
      ['app/middleware.mts', 'Rename it to +middleware.mts, or move it out of the routes folder.'],
    ]);
  });

  it('says how to rename a file that was meant to be a route', async () => {
    const { pages, problems } = await scan([
      'Hello+API.ts',
      'a/[id]+Api.web.js',
      'b+apis.ts',
      'v1/users.api.ts',
      '+API.ts',
    ]);
    expect(pages).toEqual([]);
    expect(problems.map(({ file, fix }) => [file, fix.split(',')[0]])).toEqual([
      ['app/+API.ts', 'Rename it to index+api.ts.'],
      ['app/Hello+API.ts', 'Rename it to Hello+api.ts'],
      ['app/a/[id]+Api.web.js', 'Rename it to [id]+api.js'],
      ['app/b+apis.ts', 'Rename it to b+api.ts'],
      ['app/v1/users.api.ts', 'Rename it to users+api.ts'],
    ]);
  });

  it('lets pages be about middleware and APIs', async () => {
    const names = ['api.tsx', 'middleware.tsx', 'middleware/index.tsx', 'lib/middleware.ts', 'open-api.tsx'];
    const { pages, problems } = await scan(names);
    expect(problems).toEqual([]);
    expect(pages).toEqual(names.map((name) => `app/${name}`).toSorted());
  });

  it('refuses other names with a plus at the start', async () => {
    const { problems } = await scan(['+api.ts', '+not-found+api.ts', '+error.ts']);
    expect(problems.map(({ file, fix }) => [file, fix])).toEqual([
      ['app/+api.ts', 'Rename it to index+api.ts.'],
      [
        'app/+error.ts',
        'Name it +middleware, or end its name with +api to make it a route, or with +job to make it a job.',
      ],
      ['app/+not-found+api.ts', 'Remove the leading +, or name it [...path]+api.ts.'],
    ]);
  });

  it('names jobs after their paths, without groups', async () => {
    const { jobs, pages, problems } = await scan(['mail+job.ts', '(shop)/orders/send+job.ts', 'daily/index+job.ts']);
    expect([problems, pages]).toEqual([[], []]);
    expect(jobs.map(({ job, output }) => [job, output])).toEqual([
      ['orders/send', '_appkit/functions/(shop)/orders/send+job.js'],
      ['daily', '_appkit/functions/daily/index+job.js'],
      ['mail', '_appkit/functions/mail+job.js'],
    ]);
  });

  it('refuses jobs whose paths cannot be names, and names that are almost those of a job', async () => {
    const { jobs, problems } = await scan([
      '[id]/mail+job.ts',
      '+job.ts',
      'index+job.ts',
      'mail+job.web.ts',
      'mail.job.ts',
      'mail+jobs.ts',
    ]);
    expect(jobs).toEqual([]);
    expect(Object.fromEntries(problems.map(({ file, message }) => [file, message]))).toEqual({
      'app/[id]/mail+job.ts': 'A job has no parameters: its path is its name.',
      'app/+job.ts': 'The job has no name.',
      'app/index+job.ts': 'The job has no name.',
      'app/mail+job.web.ts': 'Platform extensions do not work in route files.',
      'app/mail.job.ts': 'It looks like a job but could not be enqueued: the name of a job ends in +job.',
      'app/mail+jobs.ts': 'It looks like a job but could not be enqueued: the name of a job ends in +job.',
    });
  });

  it('refuses two jobs with one name', async () => {
    const { problems } = await scan(['mail+job.ts', '(shop)/mail+job.ts']);
    expect(problems).toMatchObject([
      { file: 'app/(shop)/mail+job.ts', message: 'It has the same name as app/mail+job.ts: mail.' },
    ]);
  });
});
