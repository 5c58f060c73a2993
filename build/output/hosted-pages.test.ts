import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { bundleForDevelopment, describeApp } from '../development.ts';
import { createSite } from '../fixtures/create-site.ts';
import type { DevelopmentBundle } from '../development.ts';
import type { ExportError } from '../problem.ts';
import type { SourcedPages } from './manifest.ts';

/** Bundles an app whose only page is `app/index.tsx`. */
async function bundlePage(files: Record<string, string>): Promise<DevelopmentBundle> {
  const projectRoot = await createSite({ 'app.json': '{ "web": { "output": "server" } }', ...files });
  const description = await describeApp({ projectRoot });
  const pages = (description.site?.pages ?? []).map(({ pattern, file }) => ({ pattern, file: 'page', source: file }));
  const manifest: SourcedPages = { pages, notFound: [{ pattern: '/', file: 'not-found' }] };
  return bundleForDevelopment(description, {
    manifest,
    tools: {
      env: '{ "MODE": "development" }',
      constants: { __RELEASE__: '"release 7"', 'import.meta.env.OWN': '"own"' },
      resolve: async (specifier) => (specifier === '@/shared' ? path.join(projectRoot, 'lib/shared.ts') : undefined),
    },
  });
}

/** The code of its first loader, and of all its loaders need. */
const loaderOf = ({ files }: DevelopmentBundle): string =>
  files.get('_appkit/pages/loaders/0.js') ?? files.get('_appkit/pages/0.js') ?? '';
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
    const bundle = await bundlePage({ 'app/index.tsx': toPage(component), 'lib/view.ts': view });
    expect(loaderOf(bundle)).toContain('acted');
    expect([...bundle.files.values()].filter((code) => code.includes('of a component'))).toEqual([]);
  });

  it('keeps what its loader needs of its component, without style sheets', async () => {
    const bundle = await bundlePage({
      'app/index.tsx': `
        import '../lib/page.css';
        import styles from '../lib/page.module.css';
        export const columns = ['of the table'];
        export const loader = () => [columns, styles.name, Page.name];
        export default function Page() { return <table>{columns}</table>; }`,
      'lib/page.css': '@layer page;',
      'lib/page.module.css': '.name {}',
    });
    expect(loaderOf(bundle)).toContain('of the table');
    expect(loaderOf(bundle)).not.toContain('@layer');
  });

  it('shares modules with routes', async () => {
    const { files } = await bundlePage({
      'lib/shared.ts': "export const shared = 'shared module';",
      'app/a+api.ts': "import { shared } from '../lib/shared.ts';\nexport const GET = () => new Response(shared);",
      'app/index.tsx': `
        import { shared } from '@/shared';
        export const loader = () => shared;
        export default () => null;`,
    });
    expect([...files.values()].filter((code) => code.includes('shared module'))).toHaveLength(1);
  });

  it('has the constants and the aliases of Vite', async () => {
    const bundle = await bundlePage({
      'lib/shared.ts': 'export const release: string = __RELEASE__;\ndeclare const __RELEASE__: string;',
      'app/index.tsx': `
        import { release } from '@/shared';
        export const loader = (): unknown => [release, import.meta.env.MODE, import.meta.env.OWN, <b key="bold" />];
        export default () => null;`,
    });
    expect(bundle.loadersInNode).toEqual([]);
    expect(loaderOf(bundle)).toMatch(/development[^]*"own"[^]*\.jsx\)\("b"/);
    expect([...bundle.files.values()].join('')).toContain('release 7');
  });

  it('bundles the layouts that have a loader, and no page without one', async () => {
    const page = 'export default () => null;';
    const bundle = await bundlePage({
      'app/_layout.tsx': `export const loader = () => 'of the layout';\n${page}`,
      'app/index.tsx': page,
    });
    expect(loaderOf(bundle)).toContain('of the layout');
    expect(bundle.files.get('_appkit/pages/0.js')).toContain('[() => require("./loaders/0.js"), () => ({})]');
  });

  it('needs nothing of appkit-router without pages of the app', async () => {
    const { files } = await bundlePage({ 'app/a+api.ts': 'export const GET = () => new Response();' });
    expect([...files.keys()].filter((name) => name.includes('/pages/'))).toEqual(['_appkit/pages/0.js']);
  });
});

describe('a loader that cannot be bundled for a host', () => {
  const page = 'export default () => null;';

  it.each([
    ['a module that does not exist', "import { lost } from '../lib/lost.ts';\nexport const loader = lost;", 1],
    ['a module of a plugin of Vite', "import list from 'virtual:list';\nexport const loader = () => list;", 1],
    [
      'a file that a plugin of Vite compiles',
      "import list from '../lib/list.yaml';\nexport const loader = () => list;",
    ],
    ['import.meta.glob', "\nexport const loader = () => import.meta.glob('../lib/*.ts');", 2],
    ['a path with a variable', '\n\nexport const loader = ({ url }) => import(`../lib/${url}.ts`);', 3],
    ['the text of a style sheet', "import text from '../lib/page.css?inline';\nexport const loader = () => text;"],
    ['top-level await', "export const loader = () => list;\nconst list = await Promise.resolve(['a']);"],
  ])('runs in Node: %s', async (_, code, line?: number) => {
    const bundle = await bundlePage({
      'app/index.tsx': `${code}\n${page}`,
      'app/a+api.ts': "export const GET = () => new Response('of a route');",
      'lib/list.yaml': '- a: [b',
      'lib/page.css': '@layer page;',
    });
    expect(bundle.loadersInNode).toMatchObject([{ ...(line && { file: 'app/index.tsx', line }) }]);
    expect(bundle.files.get('_appkit/pages/0.js')).not.toContain('parts');
    expect([...bundle.files.keys()].filter((name) => name.includes('loaders'))).toEqual([]);
    expect([...bundle.files.values()].join('')).toContain('of a route');
  });

  it('runs in Node if it needs import.meta.env in a module that a route imports, too', async () => {
    const files = {
      'lib/shared.ts':
        'export const mode = (): string => import.meta.env.MODE;\nexport const text = "import.meta.env";',
      'lib/of-route.ts': 'export const other = (): string => import.meta.env.MODE;',
      'app/a+api.ts': `import { text } from '../lib/shared.ts'; import { other } from '../lib/of-route.ts';
        export const GET = () => Response.json([text, typeof other]);`,
    };
    const bundle = await bundlePage({
      ...files,
      'app/index.tsx': `import { mode } from '../lib/shared.ts';\nexport const loader = mode;\n${page}`,
    });
    expect(bundle.loadersInNode).toMatchObject([
      { file: 'lib/shared.ts', message: expect.stringContaining('import.meta.env') },
    ]);
    const alone = await bundlePage({ ...files, 'app/index.tsx': `export const loader = () => 'loaded';\n${page}` });
    expect(alone.loadersInNode).toEqual([]);
    expect(loaderOf(alone)).toContain('loaded');
  });

  it('runs in the host again once it can be bundled', async () => {
    const bundle = await bundlePage({
      'app/index.tsx': `import { list } from '../lib/list.ts';\nexport const loader = () => list;\n${page}`,
      'lib/list.ts': "export const list = import.meta.glob('./*.md');",
    });
    expect(bundle.loadersInNode).toMatchObject([{ file: 'lib/list.ts', line: 1 }]);
    expect([...bundle.sources].map((file) => path.basename(file))).toContain('list.ts');
  });

  it('is no reason if only its component needs Vite', async () => {
    const bundle = await bundlePage({
      'app/index.tsx': `
        import styles from '../lib/page.css?inline';
        export const loader = () => 'loaded';
        const pictures = import.meta.glob('../lib/*.png');
        export default () => [styles, pictures];`,
      'lib/page.css': '@layer page;',
    });
    expect(bundle.loadersInNode).toEqual([]);
    expect(loaderOf(bundle)).toContain('loaded');
  });
});

describe('routes next to pages', () => {
  const page = "import { shared } from '@/shared';\nexport const loader = () => shared;\nexport default () => null;";

  it('have the constants of Vite, in modules that loaders import, too', async () => {
    const bundle = await bundlePage({
      'lib/shared.ts': 'export const shared = [__RELEASE__, import.meta.env.OWN];',
      'app/a+api.ts': "import { shared } from '../lib/shared.ts';\nexport const GET = () => Response.json(shared);",
      'app/index.tsx': page,
    });
    expect(bundle.loadersInNode).toEqual([]);
    expect([...bundle.files.values()].filter((code) => code.includes('release 7'))).toHaveLength(1);
  });

  it('are bundled as in an export: without aliases of Vite', async () => {
    const bundling = bundlePage({
      'lib/shared.ts': 'export const shared = 1;',
      'app/a+api.ts': "import { shared } from '@/shared';\nexport const GET = () => Response.json(shared);",
      'app/index.tsx': page,
    });
    const error = (await bundling.catch((thrown: unknown) => thrown)) as ExportError;
    expect(error.problems).toMatchObject([{ file: 'app/a+api.ts', line: 1 }]);
  });

  it('give no URL to a secret, nor do pages', async () => {
    const code = "import key from '../lib/private.pem?url';\nexport const";
    for (const file of ['app/a+api.ts', 'app/index.tsx']) {
      const bundling = bundlePage({
        'lib/private.pem': 'secret',
        'app/index.tsx': page.replace('@/', '../lib/').replace('shared', 'shared.ts'),
        'lib/shared.ts': 'export const shared = 1;',
        [file]: file.endsWith('+api.ts')
          ? `${code} GET = () => new Response(key);`
          : `${code} loader = () => key;\nexport default () => null;`,
      });
      const error = (await bundling.catch((thrown: unknown) => thrown)) as ExportError;
      expect(error.problems, file).toMatchObject([{ file: 'lib/private.pem' }]);
    }
  });
});
