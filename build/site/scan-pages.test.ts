import { expect, it } from 'vitest';

import { findDocuments, findRules } from './documents.ts';
import { fillPattern, listParams } from '../pages/page-params.ts';
import { isListed } from './dev-site.ts';
import { scanPages } from './scan-pages.ts';

const scan = (...names: string[]): ReturnType<typeof scanPages> =>
  scanPages(
    names.map((name) => `app/${name}`),
    { routesFolder: 'app' },
  );

it('gives pages their pattern and the layouts around them, the outermost first', () => {
  const { pages, problems } = scan(
    '_layout.tsx',
    'index.tsx',
    '(shop)/_layout.tsx',
    '(shop)/items/[id]/index.tsx',
    'docs/[...path].tsx',
  );
  expect(pages).toEqual([
    { file: 'app/index.tsx', pattern: '/', layouts: ['app/_layout.tsx'] },
    {
      file: 'app/(shop)/items/[id]/index.tsx',
      pattern: '/items/[id]',
      layouts: ['app/_layout.tsx', 'app/(shop)/_layout.tsx'],
    },
    { file: 'app/docs/[...path].tsx', pattern: '/docs/[...path]', layouts: ['app/_layout.tsx'] },
  ]);
  expect(problems).toEqual([]);
});

it('recognises files that are not pages', () => {
  const { pages, notFound, html } = scan('+html.tsx', '+not-found.tsx', 'blog/+not-found.tsx', '+native-intent.ts');
  expect(pages).toEqual([]);
  expect(notFound.map(({ pattern }) => pattern)).toEqual(['/', '/blog']);
  expect(html).toBe('app/+html.tsx');
});

it.each([
  [['about.tsx', '(a)/about.tsx'], 'app/(a)/about.tsx', 'so is app/about.tsx'],
  [['[id].tsx', '[name].tsx'], 'app/[name].tsx', 'so is app/[id].tsx'],
  [['_layout.tsx', '_layout.js'], 'app/_layout.js', 'second layout'],
  [['blog/+html.tsx'], 'app/blog/+html.tsx', 'one document'],
  [['[...rest]/x.tsx'], 'app/[...rest]/x.tsx', 'nothing can follow'],
])('says what is wrong with %o', (names, file, message) => {
  const { problems } = scan(...names);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ file });
  expect(problems[0]?.message).toContain(message);
});

it('tells the client about the routes that may come before a page, and no others', () => {
  const pages = [{ pattern: '/items/[id]' }, { pattern: '/about' }, { pattern: '/docs/[...path]' }];
  const routes = ['/items/new', '/items/[id]', '/about', '/admin/keys', '/docs', '/docs/search', '/[a]/[b]', '/x/y/z'];
  expect(findDocuments(routes, pages)).toEqual(['/items/new', '/docs/search', '/[a]/[b]']);
});

it('finds the redirects and rewrites that apply before pages', () => {
  const pages = [{ pattern: '/items/[id]' }, { pattern: '/about' }];
  const to = { destination: '/' };
  const rules = {
    redirects: [
      { source: '/about', ...to },
      { source: '/elsewhere', ...to },
      { source: '/items/sent', methods: ['POST' as const], ...to },
    ],
    rewrites: [{ source: '/[...all]', methods: ['GET' as const], ...to }],
  };
  expect(findRules(rules, pages)).toEqual(['/about', '/[...all]']);
});

it('fills a pattern with encoded parameters', () => {
  expect(fillPattern('/é/[id]/[...rest]', { id: 'a/b ü', rest: 'c d/e' })).toBe('/é/a%2Fb%20%C3%BC/c%20d/e');
});

it.each([[undefined], [{}], [[null]], [[{}]], [[{ id: 1 }]], [[{ id: '' }]], [[{ id: '..' }]], [[{ id: 'a/../b' }]]])(
  'refuses %j as a list of parameters',
  (given) => {
    const page = { file: 'app/[id].tsx', pattern: '/[id]', layouts: [] };
    expect(() => listParams(page, { given, output: 'server' })).toThrow('generateStaticParams');
  },
);

it.each(['a/b', String.raw`a\b`, '.a', '\0'])('refuses the parameter %j for a file of a static site', (id) => {
  const page = { file: 'app/[id].tsx', pattern: '/[id]', layouts: [] };
  expect(listParams(page, { given: [{ id }], output: 'server' })).toEqual([{ id }]);
  const message = `generateStaticParams returned {"id":${JSON.stringify(id)}}, in which id cannot be the name of a file that a host serves.`;
  const refusal = expect.objectContaining({ problems: [expect.objectContaining({ file: page.file, message })] });
  expect(() => listParams(page, { given: [{ id }], output: 'static' })).toThrow(refusal);
  expect(() => isListed(page, { params: { id: 'c' }, given: [{ id }], output: 'static' })).toThrow(refusal);
});

it('accepts slashes in a parameter for the rest of a path', () => {
  const page = { file: 'app/[...path].tsx', pattern: '/[...path]', layouts: [] };
  const given = [{ path: 'a/b' }];
  expect(listParams(page, { given, output: 'static' })).toEqual(given);
  expect(() => listParams(page, { given: [{ path: 'a/.b' }], output: 'static' })).toThrow('cannot be the name');
});
