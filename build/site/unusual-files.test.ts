import { expect, it } from 'vitest';

import { describeApp } from '../app/describe-app.ts';
import { createProject } from '../fixtures/create-project.ts';

const PAGE = 'export default function Page() { return null; }\n';

async function warningsFor(files: Record<string, string>): Promise<string[]> {
  const projectRoot = await createProject({ 'app.json': '{"web":{"output":"server"}}', ...files });
  return (await describeApp({ projectRoot })).warnings;
}

it('says what the names of other frameworks mean here', async () => {
  const names = ['page', 'layout', 'loading', 'error', 'not-found', 'home'];
  const files = Object.fromEntries(names.map((name) => [`app/shop/${name}.tsx`, PAGE]));
  expect(await warningsFor(files)).toEqual([
    'app/shop/error.tsx is the page of /shop/error. To show something for an error, export ErrorBoundary from app/shop/_layout.tsx.',
    'app/shop/layout.tsx is the page of /shop/layout. For the layout of its folder, rename it to app/shop/_layout.tsx, and render <Slot /> in it.',
    'app/shop/loading.tsx is the page of /shop/loading. To show something meanwhile, put <Suspense> into app/shop/_layout.tsx.',
    'app/shop/not-found.tsx is the page of /shop/not-found. To show something when there is no page, rename it to app/shop/+not-found.tsx.',
    'app/shop/page.tsx is the page of /shop/page. For the page of its folder, rename it to app/shop/index.tsx.',
  ]);
});

it('says which layout does not show its pages', async () => {
  const files = {
    'app/index.tsx': PAGE,
    'app/_layout.tsx': 'export default function Layout({ children }) { return <main>{children}</main>; }\n',
    'app/shop/index.tsx': PAGE,
    'app/shop/_layout.tsx': "export { ShopLayout as default } from '../../components/shop.tsx';\n",
    'components/shop.tsx': PAGE,
    'app/help/index.tsx': PAGE,
    'app/help/_layout.tsx': "import { Slot } from 'appkit-router';\nexport default () => <Slot />;\n",
  };
  expect(await warningsFor(files)).toEqual([
    'app/_layout.tsx renders no <Slot />, so that none of its pages is shown. Import Slot from appkit-router, and render it where they go.',
  ]);
});

it('names files of pages that only a plugin could read, unless a page imports them', async () => {
  const files = {
    'app/index.tsx': `import Post from './posts/first.mdx';\nimport '../lib/all-about.mdx';\n${PAGE}`,
    'app/list.tsx': `export const all = import.meta.glob('./*.{svelte,vue}');\n${PAGE}`,
    'app/posts/first.mdx': '# First\n',
    'app/card.vue': '<template />\n',
    'app/about.mdx': '# About\n',
    'app/notes.txt': 'notes\n',
  };
  expect(await warningsFor(files)).toEqual([
    'app/about.mdx is not exported: a page is a .tsx, .jsx, .ts or .js file. Import it from one, with a plugin in vite.config.ts that compiles it to a component.',
  ]);
});
