import { expect, it } from 'vitest';

import { describeApp } from './describe-app.ts';
import { createProject, exportProblems } from '../fixtures/create-project.ts';
import { createSite } from '../fixtures/create-site.ts';
import { exportApp } from '../index.ts';

const PAGE = 'export default function Page() { return null; }\n';
const handler = (...methods: string[]): string =>
  methods.map((method) => `export const ${method} = () => new Response();\n`).join('');

const FILES = {
  'app/shop/index.tsx': PAGE,
  'app/shop+api.ts': handler('GET', 'POST'),
  'app/(group)/items/[id].tsx': PAGE,
  'app/items/[name]+api.ts': "export * from '../../lib/items';",
  'lib/items.ts': handler('HEAD'),
  'app/cart.tsx': PAGE,
  'app/cart+api.ts': handler('POST'),
};

const fix =
  'Keep one of the two, or move one to another path. The data of a page comes from its loader, and its action answers POST. A route may answer the other methods of the path.';

it('refuses a page and a route that both answer GET at the same path, and names both', async () => {
  const problems = await exportProblems({ 'app.json': '{"web":{"output":"server"}}', ...FILES });
  expect(problems).toEqual([
    {
      file: 'app/(group)/items/[id].tsx',
      message: 'It is the page of /items/[id], and app/items/[name]+api.ts exports HEAD for the same path.',
      fix,
    },
    {
      file: 'app/shop/index.tsx',
      message: 'It is the page of /shop, and app/shop+api.ts exports GET for the same path.',
      fix,
    },
  ]);
});

it('reports such a page in development', async () => {
  const projectRoot = await createProject({ 'app.json': '{"web":{"output":"server"}}', ...FILES });
  const { site, routes } = await describeApp({ projectRoot });
  const problems = site?.pages.map(({ pattern, problems }) => [pattern, problems.map(({ message }) => message)]);
  expect(problems).toEqual([
    ['/cart', []],
    ['/items/[id]', ['It is the page of /items/[id], and app/items/[name]+api.ts exports HEAD for the same path.']],
    ['/shop', ['It is the page of /shop, and app/shop+api.ts exports GET for the same path.']],
  ]);
  expect(routes.flatMap((route) => route.problems)).toEqual([]);
});

it('accepts a route with other methods next to a page, and any route that is not exported', async () => {
  const others = { 'app/cart.tsx': PAGE, 'app/cart+api.ts': handler('POST', 'DELETE') };
  await exportApp({ projectRoot: await createSite({ 'app.json': '{"web":{"output":"server"}}', ...others }) });
  const both = { 'app/cart.tsx': PAGE, 'app/cart+api.ts': handler('GET') };
  await exportApp({ projectRoot: await createSite({ 'app.json': '{"web":{"output":"static"}}', ...both }) });
  const root = await createSite({ 'app.json': '{"web":{"output":"server"}}', ...both });
  await exportApp({ projectRoot: root, ssg: false });
});
