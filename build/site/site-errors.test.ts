import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

import { expect, it, onTestFinished, vi } from 'vitest';

import { createSite } from '../fixtures/create-site.ts';
import { exportUncompressed } from '../fixtures/export-uncompressed.ts';
import { ExportError, exportApp } from '../index.ts';

const SERVER = { 'app.json': JSON.stringify({ web: { output: 'server' } }) };

/** An export's message for these files, or nothing when there is no problem. */
async function findProblems(files: Record<string, string>): Promise<string[]> {
  const projectRoot = await createSite({ ...SERVER, ...files });
  const error: unknown = await exportUncompressed({ projectRoot }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return [];
  if (!(error instanceof ExportError)) throw error;
  return error.problems.map(({ file, line, message, fix }) => `${file}:${line ?? ''} ${message} ${fix}`);
}

it('says that the imports of a loader cannot use top-level await, as for a route', async () => {
  const problems = await findProblems({
    'lib/db.ts': "\nexport const rows: string[] = await Promise.resolve(['row']);\n",
    'app/index.tsx': `import { rows } from '../lib/db';
export const loader = () => rows;
export default () => <p>page</p>;
`,
  });
  expect(problems).toEqual([
    'lib/db.ts: Server code is exported as CommonJS, which does not support top-level await. Move the await into a function, and call that in the handler or the loader.',
  ]);
});

it.each([
  ['throw new Error("no config today");', 'vite.config.js: It cannot be loaded: no config today. Correct it.'],
  ["throw 'nothing';", 'vite.config.js: It cannot be loaded: nothing. Correct it.'],
  [
    'const own = 1;\nexport default {',
    expect.stringMatching(/^vite\.config\.js:2 The file cannot be parsed: .* Correct the syntax\.$/),
  ],
  ["import './missing.js';", "vite.config.js:1 Nothing was found for './missing.js'. Correct the path."],
])('says why vite.config cannot be loaded: %s', async (code, problem) => {
  const files = { 'vite.config.js': code, 'app/a+api.ts': 'export const GET = () => new Response();' };
  expect(await findProblems(files)).toEqual([problem]);
});

it('says which page cannot be parsed, and which of its imports does not exist', async () => {
  const [broken] = await findProblems({ 'app/index.tsx': 'export default () => (\n  <p>page</div>\n);\n' });
  expect(broken).toMatch(/^app\/index\.tsx:2 The file cannot be parsed: Expected .* Correct the syntax\.$/);
  expect(
    await findProblems({ 'app/index.tsx': "import { x } from './none';\nexport default () => <p>{x}</p>;\n" }),
  ).toEqual(["app/index.tsx: Nothing was found for './none'. Correct the path."]);
});

it('says where something cannot be parsed when the export is of a folder below', async () => {
  const cwd = process.cwd();
  const projectRoot = await createSite({
    'app/index.tsx': "import { x } from '../lib/x';\nexport default () => <p>{x}</p>;\n",
    'lib/x.ts': '\nexport const x = = 1;\n',
  });
  process.chdir(path.dirname(projectRoot));
  try {
    await expect(exportApp({ projectRoot })).rejects.toMatchObject({ problems: [{ file: 'lib/x.ts', line: 2 }] });
  } finally {
    process.chdir(cwd);
  }
});

it('says why files cannot be written while pages are rendered', async () => {
  const projectRoot = await createSite({
    'app/index.tsx': 'export default () => new Promise(() => {});',
  });
  const { writeFileSync } = fs;
  onTestFinished(() => {
    fs.writeFileSync = writeFileSync;
    syncBuiltinESMExports();
  });
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  onTestFinished(() => void process.off('unhandledRejection', rejected));
  fs.writeFileSync = (file, content, ...rest) => {
    // The bundles in the form that later exports take from the cache.
    const isKept = /\.cache\W/.test(String(file)) && String(content).includes('_appkit/assets');
    if (isKept) throw new Error('no space left on device');
    writeFileSync(file, content, ...rest);
  };
  syncBuiltinESMExports();
  await expect(exportApp({ projectRoot })).rejects.toThrow('no space left on device');
  await new Promise(setImmediate);
  expect(rejected).not.toHaveBeenCalled();
});

it('reports each problem once, and prints nothing itself', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const printed = [
    vi.spyOn(process.stdout, 'write'),
    vi.spyOn(console, 'error'),
    vi.spyOn(console, 'warn'),
    vi.spyOn(console, 'log'),
  ];
  expect(await findProblems({ 'app/index.tsx': "import './none';\nexport default () => <p />;\n" })).toHaveLength(1);
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

it('stops when told to, even if a page never finishes', async () => {
  const projectRoot = await createSite({
    'app/index.tsx': `import { writeFileSync } from 'node:fs';
export const loader = () => new Promise(() => writeFileSync(process.env.APPKIT_TEST_MARK, ''));
export default () => <p />;
`,
    'app.json': JSON.stringify({ web: { output: 'static' } }),
  });
  const mark = path.join(projectRoot, 'mark');
  vi.stubEnv('APPKIT_TEST_MARK', mark);
  onTestFinished(() => void vi.unstubAllEnvs());
  const controller = new AbortController();
  const exported = expect(exportApp({ projectRoot, signal: controller.signal })).rejects.toThrow('that will do');
  await vi.waitFor(() => expect(fs.existsSync(mark)).toBe(true), { timeout: 120_000 });
  controller.abort(new Error('that will do'));
  await exported;
});

it('says which package is not installed', async () => {
  const view = 'export default () => <p />;\n';
  for (const name of ['not-installed', '@not/installed/style.css']) {
    const problem = `Nothing was found for '${name}'. Install the package, or correct the name.`;
    expect(await findProblems({ 'app/index.tsx': `import '${name}';\n${view}` })).toEqual([
      `app/index.tsx: ${problem}`,
    ]);
    const files = { 'lib/read.ts': `export const read = () => import('${name}');\n` };
    const page = `import { read } from '../lib/read';\nexport const loader = () => read();\n${view}`;
    expect(await findProblems({ ...files, 'app/index.tsx': page })).toEqual([`lib/read.ts: ${problem}`]);
  }
});

const picture = "new URL('../lib/data.bin', import.meta.url)";

it('refuses a page whose HTML would contain a path of the machine that renders it', async () => {
  const files = { 'lib/data.bin': 'x'.repeat(5000) };
  for (const name of ['href', 'pathname']) {
    const page = `const url = ${picture}.${name};\nexport default () => <a href={url}>data</a>;\n`;
    for (const [file, content] of Object.entries({ 'app/a.tsx': page, 'app/+not-found.tsx': page })) {
      const problems = await findProblems({
        ...files,
        'app/index.tsx': 'export default () => <p />;',
        [file]: content,
      });
      expect(problems).toEqual([
        expect.stringMatching(
          /^\S+: Its HTML contains a path of the machine that renders it: …\S+\/lib\/data\.bin\. .* Import /,
        ),
      ]);
      expect(problems[0]).toContain(`${file}:`);
    }
  }
});

it('refuses a page that would show the path of the server that renders it on request', async () => {
  const files = { 'lib/data.bin': 'x'.repeat(5000), 'app/index.tsx': 'export default () => <p />;' };
  const loader = 'export const loader = () => 1;\n';
  const said =
    "It shows import.meta.url, which on the server is a file path. Import the file instead, which has the same URL everywhere: import url from './picture.png'.";
  const page = `${loader}const url = ${picture}.href;\nexport default () => <a href={url}>data</a>;\n`;
  expect(await findProblems({ ...files, 'app/a.tsx': page })).toEqual([`app/a.tsx:3 ${said}`]);
  const link = `export const Link = () => <a href={${picture}.pathname}>data</a>;\n`;
  const withLink = `import { Link } from '../lib/link';\n${loader}export default () => <Link />;\n`;
  expect(await findProblems({ ...files, 'lib/link.tsx': link, 'app/[id].tsx': withLink })).toEqual([
    `lib/link.tsx:1 ${said}`,
  ]);
  // In a site that only the client renders, it is correct.
  const single = { 'app.json': '{"web":{"output":"single"}}', 'app/a.tsx': page.replace(loader, '') };
  expect(await findProblems({ ...files, ...single })).toEqual([]);
  // A loader reads files.
  const read = `export const loader = () => ${picture}.href.length;\nexport default () => <p>{'import.meta.url'}</p>;\n`;
  expect(await findProblems({ ...files, 'app/a.tsx': read })).toEqual([]);
});

it('lets code that runs in the browser name a file by import.meta.url', async () => {
  const page = `const show = () => alert(${picture});\nexport default () => <p onClick={show}>data</p>;\n`;
  expect(await findProblems({ 'lib/data.bin': 'x'.repeat(5000), 'app/index.tsx': page })).toEqual([]);
});

it('says that page code has ended the process, or has thrown an uncaught error', async () => {
  const page = "import '../lib/env';\nexport default () => <p />;\n";
  const pages = { 'app/index.tsx': page, 'app/a.tsx': page };
  expect(await findProblems({ ...pages, 'lib/env.ts': 'process.exit(3);\n' })).toEqual([
    '.: While pages were rendered, their code ended the process, with code 3. Look at the pages, their layouts and loaders, and what these import.',
  ]);
  expect(await findProblems({ ...pages, 'lib/env.ts': "void Promise.reject(new Error('too late'));\n" })).toEqual([
    expect.stringMatching(/^\.: While pages were rendered, their code threw, or rejected, where .*: Error: too late/),
  ]);
});

it('says where the base of a Vite config belongs', async () => {
  const page = { 'app/index.tsx': 'export default () => <p>page</p>;\n' };
  const configured = (base: string): Record<string, string> => ({
    ...page,
    'vite.config.js': `export default { base: '${base}' };\n`,
  });
  expect(await findProblems(configured('/shop/'))).toEqual([
    'vite.config: It sets base to "/shop/", but the app is at /. Leave base out, and set web.base in the app config.',
  ]);
  const below = { 'app.json': JSON.stringify({ web: { output: 'server', base: '/shop' } }) };
  expect(await findProblems({ ...configured('/shop/'), ...below })).toEqual([]);
  expect(await findProblems(configured('/'))).toEqual([]);
});

it('says why the bundler could not write a file', async () => {
  const projectRoot = await createSite({
    'app/index.tsx': 'export default () => <p>page</p>;',
    'vite.config.js': `
      import { mkdirSync, writeFileSync } from 'node:fs';
      const inTheWay = {
        name: 'in-the-way',
        applyToEnvironment: ({ name }) => name === 'client',
        generateBundle() {
          const { outDir } = this.environment.config.build;
          mkdirSync(outDir, { recursive: true });
          writeFileSync(outDir + '/_appkit', 'a file where a folder should be');
        },
      };
      export default { plugins: [inTheWay] };`,
  });
  await expect(exportApp({ projectRoot })).rejects.toMatchObject({
    message: expect.stringMatching(/^The bundler has failed\. .*_appkit.* \(os error \d+\)\.$/),
    fix: expect.stringContaining('Check the space on that disk'),
  });
});
