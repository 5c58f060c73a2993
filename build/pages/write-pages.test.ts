import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createSite } from '../fixtures/create-site.ts';
import { exportApp } from '../index.ts';

const PAGE = `
export const loader = (request: Request) => ({ at: new URL(request.url).pathname });
export default () => <p>page</p>;`;

/** Names with characters that have a meaning in a URL, and the path of each in one. */
const NAMES: Record<string, string> = { '50%': '/50%25', 'a%20b': '/a%2520b', 'c#': '/c%23', 'a b': '/a%20b' };

it('writes a page whose name has characters with a meaning in a URL, rendered at its path', async () => {
  const pages = Object.keys(NAMES).map((name) => [`app/${name}.tsx`, PAGE]);
  const projectRoot = await createSite({ 'app.json': '{"web":{"output":"static"}}', ...Object.fromEntries(pages) });
  const { outputDir, files } = await exportApp({ projectRoot });
  const written = files.map(({ path: name }) => name);
  for (const [name, pathname] of Object.entries(NAMES)) {
    expect(written).toContain(`client/${name}.html`);
    expect(await readFile(path.join(outputDir, `client/_appkit/data/${name}.json`), 'utf8')).toContain(`"${pathname}"`);
  }
});

it('knows such a page by the pattern of its file in a server build, with the values of its parameters', async () => {
  const projectRoot = await createSite({
    'app.json': '{"web":{"output":"server"}}',
    'app/50%/[id].tsx': "export const generateStaticParams = () => [{ id: 'a b' }];\nexport default () => <p>page</p>;",
    'app/50%/index.tsx': 'export default () => <p>page</p>;',
  });
  const { manifest } = await exportApp({ projectRoot });
  expect(manifest.pages).toMatchObject([
    { pattern: '/50%/[id]', prerendered: { '/50%/a%20b': '_appkit/pages/50%/a b.html.js' } },
    { pattern: '/50%', file: '_appkit/pages/50%.html.js' },
  ]);
});

it('says how a page that it writes can use a module that only Bun has', async () => {
  const plugin = ['appkit-router', { external: ['bun:sqlite'] }];
  const projectRoot = await createSite({
    'app.json': JSON.stringify({ web: { output: 'server' }, plugins: [plugin] }),
    'app/index.tsx': `import { Database } from 'bun:sqlite';
export const action = () => typeof Database;
export default () => <p>page</p>;`,
  });
  const error = await exportApp({ projectRoot }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    problems: [
      {
        file: 'app/index.tsx',
        message: "It could not be rendered: Error: Cannot find module 'bun:sqlite'",
        fix: 'The export renders pages in Node: import bun:sqlite, or your file that does, by await import() in the action.',
      },
    ],
  });
});
