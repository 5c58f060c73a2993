// Vite alone over the pages of an app, as a baseline for the time of an export. `client`: the client bundle. `both`:
// also the server bundle, with all packages in it, as in an export.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';

const [root, mode] = process.argv.slice(2);
const pages = "const pages = import.meta.glob('../app/page*.tsx');";
const client = path.join(root, 'lib/client.tsx');
const server = path.join(root, 'lib/server.tsx');
await writeFile(
  client,
  `import { hydrateRoot } from 'react-dom/client';
${pages}
const { default: Page } = await pages[\`../app\${location.pathname}.tsx\`]();
hydrateRoot(document, <Page />);
`,
);
await writeFile(
  server,
  `import { renderToString } from 'react-dom/server';
${pages}
export async function render(path) {
  const { default: Page } = await pages[\`../app\${path}.tsx\`]();
  return renderToString(<Page />);
}
`,
);
const shared = { root, configFile: false, logLevel: 'error', publicDir: false };
await build({ ...shared, build: { outDir: `out/${mode}/client`, rolldownOptions: { input: client } } });
if (mode === 'both') {
  await build({
    ...shared,
    ssr: { noExternal: true },
    build: { ssr: server, outDir: `out/${mode}/server`, minify: true },
  });
}
