import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createSite } from '../fixtures/create-site.ts';
import { exportApp } from '../index.ts';
import type { ExportError } from '../index.ts';
import { isAnsweredByOther } from './answering-page.ts';

const load = createRequire(import.meta.url);

const FILES = {
  'app/index.tsx': 'export default () => <p>home</p>;',
  'app/about.tsx': 'export default () => <p>about</p>;',
  'app/[slug].tsx': `import { useLocalSearchParams } from 'appkit-router';
export const generateStaticParams = () => ['about', 'index', 'other'].map((slug) => ({ slug }));
export default () => <p>{'slug ' + useLocalSearchParams()['slug']}</p>;`,
};

it.each<[pattern: string, params: Record<string, string>, other: string, expected: boolean]>([
  ['/[slug]', { slug: 'about' }, '/about', true],
  ['/[slug]', { slug: 'other' }, '/about', false],
  ['/about', {}, '/[slug]', false],
  ['/[...path]', { path: 'a/b' }, '/a/[id]', true],
  ['/[...path]', { path: 'a/b' }, '/a/[...rest]', true],
  ['/[...path]', { path: 'a' }, '/a/[...rest]', false],
  ['/[...path]', { path: 'a/b' }, '/[id]', false],
  ['/[a]/x', { a: 'y' }, '/y/[b]', true],
  ['/y/[b]', { b: 'x' }, '/[a]/x', false],
  ['/[a]/x', { a: 'a/b' }, '/a/b/x', false],
])('%s with %o leaves its path to %s: %s', (pattern, params, other, expected) => {
  expect(isAnsweredByOther({ pattern }, params, [{ pattern: other }, { pattern }])).toBe(expected);
});

it('renders for a server the page that answers a listed path', async () => {
  const projectRoot = await createSite({ ...FILES, 'app.json': '{"web":{"output":"server"}}' });
  const { outputDir } = await exportApp({ projectRoot });
  const { pages } = JSON.parse(await readFile(path.join(outputDir, 'server/_appkit/routes.json'), 'utf8')) as {
    pages: { pattern: string; file: string; prerendered?: Record<string, string> }[];
  };
  const files = pages.flatMap(({ pattern, file, prerendered }) => Object.entries(prerendered ?? { [pattern]: file }));
  const toText = (file: string): string | undefined => {
    const { prerendered } = load(path.join(outputDir, 'server', file)) as { prerendered: { html: string } };
    return /<p>(.*)<\/p>/.exec(prerendered.html)?.[1];
  };
  expect(Object.fromEntries(files.map(([pathname, file]) => [pathname, toText(file)]))).toEqual({
    '/': 'home',
    '/about': 'about',
    '/index': 'slug index',
    '/other': 'slug other',
  });
});

it('writes to a file the page that answers a listed path, and refuses two pages in one file', async () => {
  const projectRoot = await createSite({
    ...FILES,
    'app/[slug].tsx': FILES['app/[slug].tsx'].replace("'index', ", ''),
    'app.json': '{"web":{"output":"static"}}',
  });
  const { outputDir } = await exportApp({ projectRoot });
  const html = await readFile(path.join(outputDir, 'client/about.html'), 'utf8');
  expect(html).toContain('<p>about</p>');
  for (const [slug, other] of [
    ['index', 'that of /'],
    ['404', 'the document for a path without a page'],
  ]) {
    const files = { ...FILES, 'app/[slug].tsx': FILES['app/[slug].tsx'].replace("'index'", `'${slug}'`) };
    const site = await createSite({ ...files, 'app.json': '{"web":{"output":"static"}}' });
    const error: unknown = await exportApp({ projectRoot: site }).catch((reason: unknown) => reason);
    const message = `The file of /${slug} is ${slug}.html, which is also ${other}.`;
    expect((error as ExportError).problems).toEqual([expect.objectContaining({ message })]);
  }
});

it('refuses files whose names differ in ways that disks and hosts may ignore', async () => {
  for (const [slug, file, other] of [
    ['About', 'About.html', 'about.html is that of /about'],
    ['cafe\u0301', 'cafe\u0301.html', 'caf\u00E9.html is that of /caf%C3%A9'],
  ] as const) {
    const projectRoot = await createSite({
      ...FILES,
      'app/[slug].tsx': FILES['app/[slug].tsx'].replace("'index'", `'caf\u00E9', '${slug}'`),
      'app.json': '{"web":{"output":"static"}}',
    });
    const error: unknown = await exportApp({ projectRoot }).catch((reason: unknown) => reason);
    const message = `The file of /${encodeURIComponent(slug)} is ${file}, and ${other}: disks and hosts may ignore the difference.`;
    expect((error as ExportError).problems).toEqual([expect.objectContaining({ message })]);
  }
});
