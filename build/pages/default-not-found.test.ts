import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createSite } from '../fixtures/create-site.ts';
import { exportUncompressed } from '../fixtures/export-uncompressed.ts';

const load = createRequire(import.meta.url);
const OPEN = {
  'app.json': '{"web":{"output":"server"}}',
  'app/[id].tsx': 'export default () => <p>open</p>;',
};

async function exportNotFound(files: Record<string, string>): Promise<{ folder: string; notFound: unknown }> {
  const { outputDir, manifest } = await exportUncompressed({ projectRoot: await createSite(files) });
  return { folder: path.join(outputDir, 'server'), notFound: manifest.notFound };
}

it('is a document for clients that accept HTML, even when the export renders no page', async () => {
  const { folder, notFound } = await exportNotFound(OPEN);
  const file = '_appkit/pages/+not-found.js';
  expect(notFound).toEqual([{ pattern: '/', file }]);
  const { GET }: { GET(request: Request): Response } = load(path.join(folder, file));
  const ask = (headers: Record<string, string>): Response => GET(new Request('http://localhost/x', { headers }));
  const document = ask({ accept: 'text/html,*/*;q=0.8' });
  expect([document.status, document.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await document.text()).toContain('<h1>Not found</h1>\n<p>404</p>');
  for (const headers of [{}, { accept: '*/*' }]) {
    const text = ask(headers);
    expect([text.status, text.headers.get('content-type'), await text.text()]).toEqual([
      404,
      'text/plain',
      'Not found',
    ]);
  }
});

it('coexists with the pages of folders, whose names never clash with it', async () => {
  const page = 'export default () => <p>gone</p>;';
  const { notFound } = await exportNotFound({ ...OPEN, 'app/[a]/+not-found.tsx': page, 'app/b/+not-found.tsx': page });
  expect(notFound).toEqual([
    { pattern: '/[a]', file: '_appkit/pages/[a]+not-found.js' },
    { pattern: '/b', file: '_appkit/pages/b+not-found.html.js' },
    { pattern: '/', file: '_appkit/pages/+not-found.js' },
  ]);
});

it('is missing from an app that has a page for it, or has no pages', async () => {
  const own = await exportNotFound({ ...OPEN, 'app/+not-found.tsx': 'export default () => <p>gone</p>;' });
  expect(own.notFound).toEqual([{ pattern: '/', file: '_appkit/pages/index+not-found.html.js' }]);
  const routes = await exportNotFound({ 'app/a+api.ts': 'export const GET = () => new Response();' });
  expect(routes.notFound).toBeUndefined();
});
