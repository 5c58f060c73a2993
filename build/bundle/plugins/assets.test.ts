import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'vite';
import { expect, it } from 'vitest';

import { bundle } from '../bundle.ts';
import { callGet, createFolder, createProject, exportFiles, writeFiles } from '../../fixtures/create-project.ts';
import { createAssetPlugin } from './assets.ts';
import type { Asset } from './assets.ts';

const BYTES = 'not really a picture';
const HASH = createHash('sha256').update(BYTES).digest('hex').slice(0, 16);

/** The default export of `code` in the client, in the bundle that renders pages, and in a route's bundle. */
async function readEverywhere(
  code: string,
  files: Record<string, string> = {},
): Promise<{ values: unknown[]; assets: Asset[][]; projectRoot: string }> {
  const projectRoot = await createProject({
    'package.json': '{"type":"module"}',
    'app/value.js': code,
    'app/value+api.js': "import value from './value.js';\nexport const GET = async () => Response.json(value);",
    ...files,
  });
  const values: unknown[] = [];
  const assets: Asset[][] = [];
  for (const ssr of [false, true]) {
    const found: Asset[] = [];
    const outDir = await createFolder();
    await build({
      root: projectRoot,
      configFile: false,
      logLevel: 'silent',
      // Routes follow the paths of tsconfig.json; Vite does so only when told to.
      resolve: { tsconfigPaths: true },
      plugins: [createAssetPlugin(projectRoot, (asset) => found.push(asset))],
      build: {
        ssr,
        outDir,
        copyPublicDir: false,
        rolldownOptions: {
          input: path.join(projectRoot, 'app/value.js'),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'value.mjs' },
        },
      },
    });
    const module: { default: unknown } = await import(pathToFileURL(path.join(outDir, 'value.mjs')).href);
    values.push(module.default);
    assets.push(found);
  }
  const route = await bundle([{ file: 'app/value+api.js', output: 'value.js' }], {
    projectRoot,
    external: [],
    minify: false,
    strictFetch: false,
  });
  expect(route.problems).toEqual([]);
  const folder = await createFolder();
  const written = [...route.chunks].map(([name, { code }]) => [name, code]);
  await writeFiles(folder, { 'package.json': '{"type":"commonjs"}', ...Object.fromEntries(written) });
  const file = path.join(folder, route.files.get('app/value+api.js')?.chunk ?? '');
  const { GET }: { GET: () => Promise<Response> } = await import(pathToFileURL(file).href);
  values.push(await (await GET()).json());
  assets.push(route.assets);
  return { values, assets, projectRoot };
}

it('gives an image its URL, the same in every bundle, and says what to copy there', async () => {
  const { values, assets, projectRoot } = await readEverywhere("export { default } from '../lib/my logo.png';", {
    'lib/my logo.png': BYTES,
  });
  const file = `_appkit/assets/my_logo-${HASH}.png`;
  expect(values).toEqual([`/${file}`, `/${file}`, `/${file}`]);
  const asset = { source: path.join(projectRoot, 'lib/my logo.png'), file };
  expect(assets).toEqual([[asset], [asset], [asset]]);
});

it('gives fonts, recordings, videos and PDFs their URLs', async () => {
  const { values } = await readEverywhere(
    `import a from '../lib/a.woff2';\nimport b from '../lib/b.mp3';\nimport c from '../lib/c.webm';\nimport d from '../lib/d.PDF';\nexport default [a, b, c, d];`,
    Object.fromEntries(['a.woff2', 'b.mp3', 'c.webm', 'd.PDF'].map((name) => [`lib/${name}`, BYTES])),
  );
  const urls = ['a.woff2', 'b.mp3', 'c.webm', 'd.PDF'].map(
    (name) => `/_appkit/assets/${name.replace('.', `-${HASH}.`)}`,
  );
  expect(values).toEqual([urls, urls, urls]);
});

it('gives any file its URL with ?url', async () => {
  const { values } = await readEverywhere(
    `import a from '../lib/a.wasm?url';\nimport b from '../lib/b.txt?url';\nimport c from '../lib/c.json?url';\nexport default [a, b, c];`,
    { 'lib/a.wasm': BYTES, 'lib/b.txt': BYTES, 'lib/c.json': BYTES },
  );
  const urls = ['a.wasm', 'b.txt', 'c.json'].map((name) => `/_appkit/assets/${name.replace('.', `-${HASH}.`)}`);
  expect(values).toEqual([urls, urls, urls]);
});

it('gives text without a byte order mark, which some editors on Windows write', async () => {
  const { values } = await readEverywhere(
    `import a from '../lib/a.txt';\nimport b from '../lib/a.txt?raw';\nimport c from '../lib/c.md?raw';\nexport default [a, b, c];`,
    { 'lib/a.txt': '\uFEFFa', 'lib/c.md': '\uFEFFc\uFEFF' },
  );
  expect(values).toEqual(Array.from({ length: 3 }, () => ['a', 'a', 'c\uFEFF']));
});

it('gives the text of a text file, and of any with ?raw', async () => {
  const { values, assets } = await readEverywhere(
    `import a from '../lib/a.txt';\nimport b from '../lib/b.svg?raw';\nimport c from '../lib/c.ts?raw';
import d from '../lib/d.css?raw';\nimport e from '../lib/e.scss?raw';\nexport default [a, b, c, d, e];`,
    {
      'lib/a.txt': 'a "text"\n',
      'lib/b.svg': '<svg/>',
      'lib/c.ts': 'const x: 1;',
      'lib/d.css': 'p { color: red }',
      'lib/e.scss': '$red: red;',
    },
  );
  const texts = ['a "text"\n', '<svg/>', 'const x: 1;', 'p { color: red }', '$red: red;'];
  expect(values).toEqual([texts, texts, texts]);
  expect(assets.flat()).toEqual([]);
});

it('gives a data: URL with ?inline, and the URL with ?no-inline', async () => {
  const { values } = await readEverywhere(
    `import a from '../lib/a.png?inline';\nimport b from '../lib/b.png?no-inline';\nexport default [a, b];`,
    { 'lib/a.png': BYTES, 'lib/b.png': BYTES },
  );
  const urls = [`data:image/png;base64,${Buffer.from(BYTES).toString('base64')}`, `/_appkit/assets/b-${HASH}.png`];
  expect(values).toEqual([urls, urls, urls]);
});

it('gives the value of JSON', async () => {
  const { values } = await readEverywhere("import data from '../lib/data.json';\nexport default data;", {
    'lib/data.json': '{"a":[1]}',
  });
  expect(values).toEqual([{ a: [1] }, { a: [1] }, { a: [1] }]);
});

it('gives a file in public its URL there', async () => {
  const { values, assets } = await readEverywhere("export { default } from '/img/my logo.png';", {
    'public/img/my logo.png': BYTES,
  });
  expect(values).toEqual(['/img/my%20logo.png', '/img/my%20logo.png', '/img/my%20logo.png']);
  expect(assets.flat()).toEqual([]);
});

it('follows the imports of packages and the paths of tsconfig.json', async () => {
  const { values } = await readEverywhere(
    `import a from '@/a.png';\nimport b from 'icons/b.svg?url';\nexport default [a, b];`,
    {
      'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./lib/*"]},"allowJs":true},"include":["**/*"]}',
      'lib/a.png': BYTES,
      'node_modules/icons/package.json': '{"name":"icons"}',
      'node_modules/icons/b.svg': BYTES,
    },
  );
  const urls = [`/_appkit/assets/a-${HASH}.png`, `/_appkit/assets/b-${HASH}.svg`];
  expect(values).toEqual([urls, urls, urls]);
});

it('tells which file of an import with a query is missing', async () => {
  const projectRoot = await createProject({
    'app/a+api.ts': "import a from './gone.png?url';\nexport const GET = () => Response.json(a);",
  });
  const { problems } = await bundle([{ file: 'app/a+api.ts', output: 'a.js' }], {
    projectRoot,
    external: [],
    minify: false,
    strictFetch: false,
  });
  expect(problems).toMatchObject([{ file: 'app/a+api.ts', message: "Nothing was found for './gone.png?url'." }]);
});

it('lets a route require a text file, and import the marker server-only', async () => {
  const { outputDir } = await exportFiles({
    'node_modules/server-only/package.json': '{"name":"server-only"}',
    'node_modules/server-only/index.js': 'throw new Error("not here");',
    'lib/a.txt': 'text',
    'app/a+api.ts':
      "import 'server-only';\nimport 'appkit-server/server-only';\ndeclare const require: any;\nexport const GET = async () => Response.json(require('../lib/a.txt'));",
  });
  expect(await callGet(outputDir, 'a+api.js')).toBe('text');
});
