import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toProjectPath } from '../app/project-path.ts';
import { createSite } from '../fixtures/create-site.ts';
import { exportUncompressed } from '../fixtures/export-uncompressed.ts';
import type { ExportOptions } from '../index.ts';
import { listFiles } from '../output/list-files.ts';

const PAGES = {
  'lib/static.ts': "export const text = 'only of the static page';",
  'lib/open.ts': "export const text = 'only of the open page';",
  'app/static.tsx': "import { text } from '../lib/static';\nexport default () => <p>{text}</p>;",
  'app/items/[id].tsx': `import { useLocalSearchParams } from 'appkit-router';
import { text } from '../../lib/open';
export default () => <p>{text} {useLocalSearchParams().id}</p>;`,
};

/** The parts of an export that render pages on request, by their paths in the server build. */
async function exportRenderer(
  files: Record<string, string>,
  options: Omit<ExportOptions, 'projectRoot'> = {},
): Promise<{ outputDir: string; projectRoot: string; code: Record<string, string> }> {
  const projectRoot = await createSite({ 'app/a+api.ts': 'export const GET = () => Response.json(1);', ...files });
  const { outputDir, files: written } = await exportUncompressed({ projectRoot, ...options });
  const names = written.map((file) => file.path).filter((name) => name.startsWith('server/_appkit/site/'));
  const texts = names.map(async (name) => [name, await readFile(path.join(outputDir, name), 'utf8')] as const);
  return { outputDir, projectRoot, code: Object.fromEntries(await Promise.all(texts)) };
}

const load = createRequire(import.meta.url);

/** A server's response for the page `/items/[id]`. */
async function renderItem(outputDir: string): Promise<string> {
  const page: { GET: (request: Request, params: Record<string, string>) => Promise<Response> } = load(
    path.join(outputDir, 'server/_appkit/pages/items/[id].js'),
  );
  const response = await page.GET(new Request('http://localhost/items/7'), { id: '7' });
  return response.text();
}

describe('the code that renders pages on request', () => {
  it('contains the pages that are rendered then, and no others', async () => {
    const { outputDir, code } = await exportRenderer(PAGES);
    const all = Object.values(code).join('\n');
    expect(all).toContain('only of the open page');
    expect(all).not.toContain('only of the static page');
    expect(await renderItem(outputDir)).toContain('only of the open page<!-- --> <!-- -->7');
    const { prerendered }: { prerendered: { html: string } } = load(
      path.join(outputDir, 'server/_appkit/pages/static.html.js'),
    );
    expect(prerendered.html).toContain('only of the static page');
  });

  it.each(['items/[id]', 'items'])('contains /%s, which lists its prerendered paths, for the rest', async (name) => {
    const page = `import { text } from '../lib/open';
export const generateStaticParams = () => [];
export default () => <p>{text}</p>;`;
    const { outputDir, code } = await exportRenderer({
      'lib/open.ts': PAGES['lib/open.ts'],
      [`app/${name}.tsx`]: page.replace('../', name.includes('/') ? '../../' : '../'),
    });
    expect(Object.values(code).join('\n')).toContain('only of the open page');
    expect(await listFiles(outputDir)).toContain(`server/_appkit/pages/${name}.js`);
  });

  it('has the external packages that it needs next to it, with those of the routes', async () => {
    const manifest = (name: string, type: string): string => JSON.stringify({ name, version: '1.0.0', type });
    const { outputDir, code } = await exportRenderer({
      'app.json': '{"plugins":[["appkit-router",{"external":["of-route","of-open","of-static"]}]]}',
      'node_modules/of-route/package.json': manifest('of-route', 'commonjs'),
      'node_modules/of-route/index.js': "exports.text = 'route';",
      'node_modules/of-open/package.json': manifest('of-open', 'module'),
      'node_modules/of-open/index.js': "export default 'far outside';\nexport const text = 'it';",
      'node_modules/of-static/package.json': manifest('of-static', 'commonjs'),
      'node_modules/of-static/index.js': "exports.text = 'static';",
      'app/a+api.ts': "import { text } from 'of-route';\nexport const GET = () => Response.json(text);",
      'app/static.tsx': "import { text } from 'of-static';\nexport default () => <p>{text}</p>;",
      'app/items/[id].tsx': `import { useLoaderData } from 'appkit-router';
import open, { text } from 'of-open';
export const loader = () => [text, open];
export default () => <p>{useLoaderData().join(' is ')}</p>;`,
    });
    expect(Object.values(code).join('\n')).not.toContain('far outside');
    const copied = (await listFiles(outputDir)).filter((name) => /node_modules.*index\.js$/.test(name));
    expect(copied).toEqual(['of-open', 'of-route'].map((name) => `server/node_modules/${name}/index.js`));
    expect(await renderItem(outputDir)).toContain('<p>it is far outside</p>');
  });

  it('has an external package next to it that a bundled package imports', async () => {
    const manifest = (name: string): string => JSON.stringify({ name, version: '1.0.0' });
    const { outputDir } = await exportRenderer({
      'app.json': '{"plugins":[["appkit-router",{"external":["outside"]}]]}',
      'node_modules/inside/package.json': manifest('inside'),
      'node_modules/inside/index.js': "exports.read = () => require('outside').text;",
      'node_modules/outside/package.json': manifest('outside'),
      'node_modules/outside/index.js': "exports.text = 'far outside';",
      'app/items/[id].tsx': `import { useLoaderData } from 'appkit-router';
import { read } from 'inside';
export const loader = () => read();
export default () => <p>{useLoaderData()}</p>;`,
    });
    expect(await listFiles(outputDir)).toContain('server/node_modules/outside/index.js');
    expect(await renderItem(outputDir)).toContain('<p>far outside</p>');
  });

  it('is the same from whichever folder the export is started', async () => {
    const cwd = process.cwd();
    const options = { minify: false, clear: true };
    const { outputDir, projectRoot, code } = await exportRenderer(PAGES, options);
    process.chdir(projectRoot);
    try {
      await exportUncompressed({ projectRoot, ...options });
    } finally {
      process.chdir(cwd);
    }
    for (const [name, text] of Object.entries(code)) {
      expect(await readFile(path.join(outputDir, name), 'utf8')).toBe(text);
    }
  });

  it('has the Response of its host, and with strictFetch the native one', async () => {
    const binding = 'Symbol.for("appkit.fetch")';
    const light = await exportRenderer(PAGES);
    expect(Object.values(light.code).join('\n')).toContain(binding);
    const app = { 'app.json': '{"plugins":[["appkit-router",{"strictFetch":true}]]}' };
    const strict = await exportRenderer({ ...PAGES, ...app });
    expect(Object.values(strict.code).join('\n')).not.toContain(binding);
  });

  it('is missing without pages', async () => {
    const { code } = await exportRenderer({
      'app.json': JSON.stringify({ web: { output: 'server' } }),
      'app/hello+api.ts': 'export const GET = () => new Response();',
      'app/_layout.tsx': "import { Slot } from 'appkit-router';\nexport default () => <Slot />;",
    });
    expect(code).toEqual({});
  });

  it.each(['server', 'static', 'single'] as const)(
    'is missing when nothing is rendered on request, output %s',
    async (output) => {
      const { outputDir, code } = await exportRenderer({
        'app.json': JSON.stringify({ web: { output } }),
        'app/static.tsx': PAGES['app/static.tsx'],
        'lib/static.ts': PAGES['lib/static.ts'],
        'app/+not-found.tsx': 'export default () => <p>nothing here</p>;',
      });
      expect(code).toEqual({});
      expect((await listFiles(outputDir)).filter((name) => name.includes('.site'))).toEqual([]);
    },
  );
});

describe('source maps of a site', () => {
  it.each(['dist', 'out/for/web'])('lead from %s to the sources', async (folder) => {
    const options = { outputDir: folder, clientSourceMaps: true };
    const { outputDir, projectRoot } = await exportRenderer(PAGES, options);
    const maps = (await listFiles(outputDir)).filter((name) => name.endsWith('.map'));
    const found = new Set<string>();
    for (const name of maps) {
      const file = path.join(outputDir, name);
      const { sources, sourceRoot = '' } = JSON.parse(await readFile(file, 'utf8')) as {
        sources: string[];
        sourceRoot?: string;
      };
      const side = name.split('/')[0];
      for (const source of sources) {
        const resolved = path.resolve(path.dirname(file), sourceRoot, source);
        if (/\.\w+$/.test(source)) found.add(`${side} ${toProjectPath(projectRoot, resolved)} ${existsSync(resolved)}`);
      }
    }
    expect([...found].filter((one) => one.endsWith('false'))).toEqual([]);
    expect([...found]).toEqual(
      expect.arrayContaining([
        'client app/items/[id].tsx true',
        'client app/static.tsx true',
        'server app/items/[id].tsx true',
        'server lib/open.ts true',
      ]),
    );
  });

  it('keep their lines in code that uses Response', async () => {
    const { code } = await exportRenderer({
      'app/items/[id].tsx': `export const loader = () => {
  Response.json(1);
  throw new Error('here');
};
export default () => <p>an item</p>;`,
    });
    const [name = '', text = ''] = Object.entries(code).find(([, one]) => one.includes('`here`')) ?? [];
    const map = new SourceMap(JSON.parse(code[`${name}.map`] ?? '{}') as SourceMapPayload);
    const lines = text.split('\n');
    const line = lines.findIndex((one) => one.includes('`here`'));
    const entry = map.findEntry(line, lines[line]?.indexOf('`here`') ?? 0);
    expect(entry).toMatchObject({ originalLine: 2, originalSource: expect.stringMatching(/items\/\[id\]\.tsx$/) });
  });

  it('are left out, or in the code, as the export says', async () => {
    const none = await exportRenderer(PAGES, { sourceMaps: false });
    expect(Object.keys(none.code).filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(Object.values(none.code).join('\n')).not.toContain('sourceMappingURL');
    const inline = await exportRenderer(PAGES, { sourceMaps: 'inline' });
    expect(Object.keys(inline.code).filter((name) => name.endsWith('.map'))).toEqual([]);
    const page = Object.values(inline.code).find((code) => code.includes('only of the open page'));
    expect(page).toContain('sourceMappingURL=data:application/json');
  });
});
