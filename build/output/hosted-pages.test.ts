import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { bundleForDevelopment, describeApp } from '../development.ts';
import { createSite } from '../fixtures/create-site.ts';
import type { ExportError } from '../problem.ts';
import type { SourcedPages } from './manifest.ts';

/** Bundles an app whose only page is `app/index.tsx`. */
async function bundlePage(files: Record<string, string>): Promise<ReadonlyMap<string, string>> {
  const projectRoot = await createSite({ 'app.json': '{ "web": { "output": "server" } }', ...files });
  const description = await describeApp({ projectRoot });
  const pages = (description.site?.pages ?? []).map(({ pattern, file }) => ({ pattern, file: 'page', source: file }));
  const manifest: SourcedPages = { pages, notFound: [{ pattern: '/', file: 'not-found' }] };
  const bundle = await bundleForDevelopment(description, {
    manifest,
    env: { MODE: 'development' },
    resolve: async (specifier) => (specifier === '@/shared' ? path.join(projectRoot, 'lib/shared.ts') : undefined),
  });
  return bundle.files;
}

const loaderOf = (files: ReadonlyMap<string, string>): string => files.get('_appkit/pages/loaders/0.js') ?? 'no loader';
const toPage = (component: string): string => `
  import { view } from '../lib/view.ts';
  export const loader = () => 'loaded';
  export const action = () => 'acted';
  export const ErrorBoundary = view;
  export const hydrate = false;
  ${component}`;

describe('a page in a host of development', () => {
  it.each([
    'export default function Page() { return view(); }',
    'export default class Page { render = view; }',
    'export default () => view();',
    'export default view(class {});',
    'const Page = () => view();\nPage.title = view;\nexport default Page;',
    'function Page() { return view(); }\nexport { Page as default };',
    "export { default } from '../lib/view.ts';",
    'export async function generateStaticParams() { return [view()]; }\nexport default view;',
  ])('has its loader and its action alone: %s', async (component) => {
    const view = "throw new Error('of a component');\nexport const view = (_?: unknown) => null;\nexport default view;";
    const files = await bundlePage({ 'app/index.tsx': toPage(component), 'lib/view.ts': view });
    expect(loaderOf(files)).toContain('acted');
    expect([...files.values()].filter((code) => code.includes('of a component'))).toEqual([]);
  });

  it('keeps what its loader needs of its component, without style sheets', async () => {
    const files = await bundlePage({
      'app/index.tsx': `
        import '../lib/page.css';
        import styles from '../lib/page.module.css';
        export const columns = ['of the table'];
        export const loader = () => [columns, styles.name, Page.name];
        export default function Page() { return <table>{columns}</table>; }`,
      'lib/page.css': '@layer page;',
      'lib/page.module.css': '.name {}',
    });
    expect(loaderOf(files)).toContain('of the table');
    expect(loaderOf(files)).not.toContain('@layer');
  });

  it('shares modules with routes, and has the environment and the aliases of Vite', async () => {
    const files = await bundlePage({
      'lib/shared.ts': "export const shared = 'shared module';",
      'app/a+api.ts': "import { shared } from '../lib/shared.ts';\nexport const GET = () => new Response(shared);",
      'app/index.tsx': `
        import { shared } from '@/shared';
        export const loader = () => [shared, import.meta.env.MODE];
        export default () => null;`,
    });
    expect([...files.values()].filter((code) => code.includes('shared module'))).toHaveLength(1);
    expect(loaderOf(files)).toContain('development');
  });

  it('bundles the layouts that have a loader, and no page without one', async () => {
    const page = 'export default () => null;';
    const files = await bundlePage({
      'app/_layout.tsx': `export const loader = () => 'of the layout';\n${page}`,
      'app/index.tsx': page,
    });
    expect(loaderOf(files)).toContain('of the layout');
    expect(files.get('_appkit/pages/0.js')).toContain('[() => require("./loaders/0.js"), () => ({})]');
  });

  it('needs nothing of appkit-router without pages of the app', async () => {
    const files = await bundlePage({ 'app/a+api.ts': 'export const GET = () => new Response();' });
    expect([...files.keys()].filter((name) => name.includes('/pages/'))).toEqual(['_appkit/pages/0.js']);
  });

  it('says what cannot be found', async () => {
    const page = "import { lost } from '../lib/lost.ts';\nexport const loader = lost;\nexport default () => null;";
    const error = (await bundlePage({ 'app/index.tsx': page }).catch((thrown: unknown) => thrown)) as ExportError;
    expect(error.problems).toMatchObject([{ file: 'app/index.tsx', line: 1 }]);
  });
});
