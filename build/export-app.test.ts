import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  callGet,
  createFolder,
  createProject,
  exportFiles,
  exportProblems,
  writeFiles,
} from './fixtures/create-project.ts';
import { createSite } from './fixtures/create-site.ts';
import { exportUncompressed } from './fixtures/export-uncompressed.ts';
import { exportApp, listRoutes } from './index.ts';
import { listFiles } from './output/list-files.ts';

const GET = 'export const GET = async () => Response.json("hello");\n';
const output = (value: string, options: object = {}): Record<string, string> => ({
  'app.json': JSON.stringify({ web: { output: value }, plugins: [['appkit-router', options]] }),
});

const ownPackage = {
  'node_modules/appkit-server/package.json': JSON.stringify({
    name: 'appkit-server',
    type: 'module',
    main: 'index.js',
  }),
  'node_modules/appkit-server/index.js': `export * from ${JSON.stringify(import.meta.resolve('appkit-server'))};`,
};

async function readAll(folder: string): Promise<Record<string, string>> {
  const names = await listFiles(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'latin1')] as const)),
  );
}

describe('the release of a build', () => {
  const cached = (text: string): Record<string, string> => ({
    ...output('server'),
    ...ownPackage,
    'lib/text.ts': `export const text = ${JSON.stringify(text)};`,
    'app/a+api.ts': `import { cache } from 'appkit-server';\nimport { text } from '../lib/text';\nexport const GET = () => (cache({ maxAge: 60 }), new Response(text));`,
  });
  const releaseOf = async (files: Record<string, string>): Promise<string | undefined> => {
    const { manifest, outputDir } = await exportFiles(files);
    const written: unknown = JSON.parse(await readFile(path.join(outputDir, 'server/_appkit/routes.json'), 'utf8'));
    expect(written).toEqual(manifest);
    return manifest.release;
  };

  it('is the same for the same sources and differs for others, if responses may be cached', async () => {
    const first = await releaseOf(cached('one'));
    expect(first).toMatch(/^[\w-]{16,}$/);
    expect(await releaseOf(cached('one'))).toBe(first);
    expect(await releaseOf(cached('two'))).not.toBe(first);
    expect(await releaseOf({ ...output('server'), 'app/a+api.ts': GET })).toBeUndefined();
  });

  it('differs for other settings of the app', async () => {
    const withMaxAge = (maxAge: number): Record<string, string> => ({
      ...output('server', { cache: [{ source: '/a', maxAge }] }),
      'app/a+api.ts': GET,
    });
    expect(await releaseOf(withMaxAge(60))).not.toBe(await releaseOf(withMaxAge(61)));
  });
});

describe('exportApp', () => {
  it('writes a server build that describes its contents', async () => {
    const result = await exportFiles({
      ...output('server', { implicitHead: true }),
      'app/b/[id]+api.ts': 'export const DELETE = () => {}; export const GET = () => {};',
      'app/a+api.ts': GET,
      'app/+middleware.ts': 'export default () => {};',
    });
    const manifest = {
      version: 1,
      routes: [
        { pattern: '/a', file: '_appkit/functions/a+api.js', methods: ['GET'], usesContext: false },
        { pattern: '/b/[id]', file: '_appkit/functions/b/[id]+api.js', methods: ['GET', 'DELETE'], usesContext: false },
      ],
      middleware: { file: '_appkit/functions/+middleware.js' },
      implicitHead: true,
      boundFetch: true,
    };
    const server = await readAll(path.join(result.outputDir, 'server'));
    expect(result.manifest).toEqual(manifest);
    expect(JSON.parse(server['_appkit/routes.json'] ?? '')).toEqual(manifest);
    expect(JSON.parse(server['package.json'] ?? '')).toEqual({ type: 'commonjs' });
    expect(server['index.js']).toContain(
      `  modules: {
    "_appkit/functions/+middleware.js": () => require("./_appkit/functions/+middleware.js"),
    "_appkit/functions/a+api.js": () => require("./_appkit/functions/a+api.js"),
    "_appkit/functions/b/[id]+api.js": () => require("./_appkit/functions/b/[id]+api.js"),
  },
`,
    );
    expect(await callGet(result.outputDir, 'a+api.js')).toBe('hello');
  });

  it('says that no route needs the request context if no code asks for it', async () => {
    const { manifest } = await exportFiles({
      ...output('server'),
      ...ownPackage,
      'app/error+api.ts': `import { StatusError } from 'appkit-server'; export const GET = () => { throw new StatusError(404); };`,
      'app/plain+api.ts': GET,
    });
    expect(manifest.routes.map(({ usesContext }) => usesContext)).toEqual([false, false]);
  });

  const asks = `import { origin } from 'appkit-server'; globalThis.ask = () => origin();`;
  // Code of one file can call what another one has put into a module that both import, or into a global.
  it.each<[string, Record<string, string>]>([
    ['a route', { 'app/asks+api.ts': `${asks} export { GET } from './plain+api.ts';` }],
    ['a job', { 'app/asks+job.ts': `${asks} export default Object({ '~job': {} });` }],
    ['middleware', { 'app/+middleware.ts': `${asks} export default () => {};` }],
    ['an external package', { 'app/asks+api.ts': `import 'outside'; ${GET}` }],
  ])('does not say so if %s may ask', async (_, files) => {
    const { manifest } = await exportFiles({
      ...output('server', { external: ['outside'] }),
      'package.json': JSON.stringify({ dependencies: { outside: '1.0.0' } }),
      'node_modules/outside/package.json': JSON.stringify({ name: 'outside', version: '1.0.0', main: 'index.js' }),
      'node_modules/outside/index.js': 'module.exports = 1;',
      ...ownPackage,
      'app/plain+api.ts': GET,
      ...files,
    });
    expect(manifest.routes.find(({ pattern }) => pattern === '/plain')).not.toHaveProperty('usesContext');
  });

  it('does not say so if pages that are rendered on request may ask', async () => {
    const projectRoot = await createSite({
      ...output('server'),
      'app/plain+api.ts': GET,
      'app/index.tsx': 'export default () => <p>hello</p>;',
    });
    const { manifest } = await exportUncompressed({ projectRoot });
    expect(manifest.routes[0]).not.toHaveProperty('usesContext');
  });

  it('measures every file it writes', async () => {
    const { files, outputDir } = await exportFiles({ 'public/zeros.txt': '0'.repeat(10_000), 'app/a+api.ts': GET });
    expect(files.map((file) => file.path)).toEqual(await listFiles(outputDir));
    const zeros = files.find((file) => file.path === 'client/zeros.txt');
    expect(zeros).toMatchObject({ bytes: 10_000 });
    expect(zeros?.gzipBytes).toBeLessThan(100);
  });

  it('writes the same bytes wherever the project is', async () => {
    const files = {
      'node_modules/dep/package.json': '{"name":"dep","main":"index.js"}',
      'node_modules/dep/index.js': 'exports.name = __filename;',
      'public/x.txt': 'x',
      'lib/shared.ts': 'export const shared = () => { throw new Error("x"); };',
      'app/[id]/naïve+api.ts': `import { name } from 'dep';\nimport { shared } from '../../lib/shared.ts';\nexport const GET = () => [name, shared, import.meta.url];`,
      'app/a+api.ts': GET,
      'app/b+api.ts': GET,
    };
    const first = await readAll((await exportFiles(files)).outputDir);
    const reversed = Object.fromEntries(Object.entries(files).toReversed());
    const second = await readAll((await exportFiles(reversed)).outputDir);
    expect(Object.keys(first)).toHaveLength(16);
    expect(second).toEqual(first);
    for (const [name, content] of Object.entries(first)) expect(content, name).not.toContain('appkit-build-');
  });

  it('writes the same bytes when the project is reached through a symbolic link', async () => {
    const { outputDir, projectRoot } = await exportFiles({
      'lib/x.ts': 'export const x = 1;',
      'app/a+api.ts': `export * from '../lib/x.ts';\n${GET}`,
    });
    const before = await readAll(outputDir);
    const link = path.join(await createFolder(), 'link');
    await symlink(projectRoot, link);
    await exportApp({ projectRoot: link });
    expect(await readAll(outputDir)).toEqual(before);
  });

  it('reads src/app when there is no app, and says so when both exist', async () => {
    const alone = await exportFiles({ 'src/app/a+api.ts': GET });
    expect(alone.manifest.routes).toMatchObject([{ pattern: '/a' }]);
    const both = await exportFiles({ 'src/app/a+api.ts': GET, 'app/b+api.ts': GET });
    expect(both.manifest.routes).toMatchObject([{ pattern: '/b' }]);
    expect(both.warnings).toEqual(['Routes are read from app; src/app is not looked at.']);
  });

  it('prefers the folder of the option root', async () => {
    const { manifest } = await exportFiles({
      ...output('server', { root: 'src/routes' }),
      'src/routes/a+api.ts': GET,
      'app/b+api.ts': GET,
    });
    expect(manifest.routes).toMatchObject([{ pattern: '/a' }]);
  });

  it('leaves routes out when the output is static, and names them', async () => {
    const { manifest, warnings, files } = await exportFiles({
      ...output('static'),
      'public/x': '',
      'app/a+api.ts': GET,
    });
    expect(manifest.routes).toEqual([]);
    expect(files.map((file) => file.path)).toEqual(['client.files/manifest.json', 'client/x']);
    expect(warnings).toEqual([expect.stringContaining('Not exported: app/a+api.ts.')]);
  });

  it('exports routes of a static app that sets apiRoutes', async () => {
    const { manifest, warnings } = await exportFiles({ ...output('static', { apiRoutes: true }), 'app/a+api.ts': GET });
    expect(manifest.routes).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('refuses to export nothing', async () => {
    expect(await exportProblems({ ...output('static'), 'app/a+api.ts': GET }, { ssg: false })).toMatchObject([
      { file: 'app.json', message: expect.stringContaining('nothing to export') },
    ]);
  });

  it('refuses layouts without any page or route', async () => {
    const layout = 'export default () => null;';
    expect(await exportProblems({ 'src/app/(a)/_layout.tsx': layout, 'src/app/+html.tsx': layout })).toEqual([
      {
        file: 'src/app/(a)/_layout.tsx',
        message: 'It wraps pages, but there is neither a page nor a route to export.',
        fix: 'Add a page, such as src/app/index.tsx, or a route, such as src/app/hello+api.ts.',
      },
    ]);
  });

  it('removes the settings of an earlier export that it has none of, with the site alone', async () => {
    const config = (base?: string): string => JSON.stringify({ web: { output: 'server', ...(base && { base }) } });
    const projectRoot = await createProject({ 'app.json': config('/shop'), 'app/a+api.ts': GET });
    const settings = path.join(projectRoot, 'dist/site.json');
    await exportApp({ projectRoot });
    expect(JSON.parse(await readFile(settings, 'utf8'))).toMatchObject({ base: '/shop' });
    await writeFile(path.join(projectRoot, 'app.json'), config());
    await exportApp({ projectRoot, ssg: false });
    expect(existsSync(settings)).toBe(true);
    await exportApp({ projectRoot });
    expect(existsSync(settings)).toBe(false);
    await writeFile(settings, '{ "mine": true }');
    await exportApp({ projectRoot });
    expect(await readFile(settings, 'utf8')).toBe('{ "mine": true }');
  });

  it('leaves pages and the client out with ssg false', async () => {
    const { outputDir } = await exportFiles(
      { 'app/a+api.ts': GET, 'app/index.tsx': 'export default <', 'public/x': '' },
      { ssg: false },
    );
    expect(await readdir(outputDir)).toEqual(['server']);
  });

  it('has a client folder even without public', async () => {
    const { outputDir } = await exportFiles({ 'app/a+api.ts': GET });
    expect(await readdir(path.join(outputDir, 'client'))).toEqual([]);
  });

  it('publishes no dotfiles except those of .well-known, and names what it leaves out', async () => {
    const { outputDir, warnings } = await exportFiles({
      'public/.well-known/x.json': '{}',
      'public/.env': 'SECRET=1',
      'public/.git/config': '',
      'public/.git/objects/1': '',
      'public/docs/.DS_Store': '',
      'public/docs/.well-known/x': '',
      'public/docs/a.txt': 'a',
      'app/a+api.ts': GET,
    });
    expect(await listFiles(path.join(outputDir, 'client'))).toEqual(['.well-known/x.json', 'docs/a.txt']);
    expect(warnings).toEqual([
      'Not exported: public/.env, public/.git, public/docs/.DS_Store, public/docs/.well-known. Names that start with a dot are not published.',
    ]);
  });

  it('copies the targets of links inside public', async () => {
    const projectRoot = await createProject({ 'public/v1/a.txt': 'a', 'app/a+api.ts': GET });
    await symlink('v1/a.txt', path.join(projectRoot, 'public/link.txt'));
    await symlink('v1', path.join(projectRoot, 'public/latest'));
    const { outputDir } = await exportApp({ projectRoot });
    expect(await readAll(path.join(outputDir, 'client'))).toEqual({
      'latest/a.txt': 'a',
      'link.txt': 'a',
      'v1/a.txt': 'a',
    });
  });

  it('refuses links that lead out of public or nowhere', async () => {
    const projectRoot = await createProject({ 'public/v1/a.txt': '', 'publicly.txt': '', 'app/a+api.ts': GET });
    await symlink('../publicly.txt', path.join(projectRoot, 'public/file.txt'));
    await symlink(projectRoot, path.join(projectRoot, 'public/v1/folder'));
    await symlink('gone.txt', path.join(projectRoot, 'public/gone.txt'));
    await expect(exportApp({ projectRoot })).rejects.toMatchObject({
      problems: [
        { file: 'public/file.txt', message: expect.stringContaining(`out of public, to ${projectRoot}/publicly.txt`) },
        { file: 'public/gone.txt', message: 'It is a link to something that does not exist.' },
        { file: 'public/v1/folder', message: expect.stringContaining('out of public') },
      ],
    });
    expect((await exportApp({ projectRoot, ssg: false })).warnings).toEqual([]);
  });

  it('stops when it is aborted, and leaves nothing behind', async () => {
    const projectRoot = await createProject({ 'public/x': '', 'app/a+api.ts': GET, 'dist/server/x': 'old' });
    const stop = new AbortController();
    const onProgress = (): void => stop.abort(new Error('stopped'));
    await expect(exportApp({ projectRoot, onProgress, signal: stop.signal })).rejects.toThrow('stopped');
    expect(await listFiles(projectRoot)).toEqual(['app/a+api.ts', 'dist/server/x', 'public/x']);
  });

  it('minifies unless told not to, or for development', async () => {
    const files = {
      'app/a+api.ts': `const longVariableName = Math.random();\nexport const GET = () => longVariableName;`,
    };
    const read = async (options: object): Promise<string> =>
      readFile(path.join((await exportFiles(files, options)).outputDir, 'server/_appkit/functions/a+api.js'), 'utf8');
    expect(await read({})).not.toContain('longVariableName');
    expect(await read({ minify: false })).toContain('longVariableName');
    expect(await read({ dev: true })).toContain('longVariableName');
    expect(await read({ dev: true, minify: true })).not.toContain('longVariableName');
  });

  it('reports progress after each file', async () => {
    const seen: string[] = [];
    await exportFiles(
      { 'app/a+api.ts': GET, 'app/b+api.ts': GET, 'app/+middleware.ts': 'export default () => {};' },
      { onProgress: ({ done, total, file }) => seen.push(`${done}/${total} ${file}`) },
    );
    expect(seen.map((line) => line.split(' ')[0])).toEqual(['1/3', '2/3', '3/3']);
    expect(seen.map((line) => line.split(' ')[1]).toSorted()).toEqual([
      'app/+middleware.ts',
      'app/a+api.ts',
      'app/b+api.ts',
    ]);
  });

  it('exports 300 routes in seconds', async () => {
    const routes = Array.from({ length: 300 }, (_, index) => [`app/r${index}+api.ts`, GET]);
    const { manifest } = await exportFiles(Object.fromEntries(routes));
    expect(manifest.routes).toHaveLength(300);
  });
});

describe('the output folder', () => {
  it('keeps unrelated files, and loses what an earlier export left in client and server', async () => {
    const projectRoot = await createProject({
      'app/a+api.ts': GET,
      'dist/notes.txt': 'mine',
      'dist/server/old.js': '',
      'dist/client/old.css': '',
    });
    const { outputDir } = await exportApp({ projectRoot });
    const names = await listFiles(outputDir);
    expect(names).toContain('notes.txt');
    expect(names.filter((name) => name.includes('old'))).toEqual([]);
  });

  it('is refused when it is a file, or a link to nothing', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, file: 'mine' });
    await symlink('missing', path.join(projectRoot, 'link'));
    const fix = 'Choose a separate folder, such as dist.';
    await expect(exportApp({ projectRoot, outputDir: 'file' })).rejects.toThrow(
      `file: The output folder is a file. ${fix}`,
    );
    await expect(exportApp({ projectRoot, outputDir: 'link' })).rejects.toThrow(
      `link: The output folder is a link to something that does not exist. ${fix}`,
    );
    expect(await readFile(path.join(projectRoot, 'file'), 'utf8')).toBe('mine');
  });

  it('loses no sources', async () => {
    const projectRoot = await createProject({
      'app/a+api.ts': GET,
      'src/types.d.ts': '',
      'src/server/types.d.ts': '',
      'src/client/node_modules/p/index.ts': '',
      'src/server/db.ts': 'mine',
      'lib/notes.txt': 'mine',
      'lib/deep/view.tsx': 'mine',
    });
    const problem = (file: string): string =>
      `${file}: It is a source file, and the export would replace it: it is in the output folder. Choose a separate output folder, such as dist.`;
    await expect(exportApp({ projectRoot, outputDir: 'src' })).rejects.toThrow(problem('src/server/db.ts'));
    await expect(exportApp({ projectRoot, outputDir: 'lib', clear: true })).rejects.toThrow(
      problem('lib/deep/view.tsx'),
    );
    await exportApp({ projectRoot, outputDir: 'lib' });
    await expect(exportApp({ projectRoot, outputDir: 'lib', clear: true })).rejects.toThrow('lib/deep/view.tsx');
    expect(await listFiles(path.join(projectRoot, 'src'))).toEqual([
      'client/node_modules/p/index.ts',
      'server/db.ts',
      'server/types.d.ts',
      'types.d.ts',
    ]);
    expect(await listFiles(path.join(projectRoot, 'lib'))).toContain('deep/view.tsx');
  });

  it('may have source files of public and of packages from the last export', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, 'public/example.ts': '' });
    await exportApp({ projectRoot });
    const { outputDir } = await exportApp({ projectRoot, clear: true });
    expect(await listFiles(outputDir)).toContain('client/example.ts');
  });

  it('is emptied on request', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, 'dist/notes.txt': 'mine' });
    const { outputDir } = await exportApp({ projectRoot, clear: true });
    expect((await readdir(outputDir)).toSorted()).toEqual(['client', 'client.files', 'server']);
  });

  it('is unchanged after a failed export, with nothing left next to it', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET });
    const before = await readAll((await exportApp({ projectRoot })).outputDir);
    await writeFiles(projectRoot, { 'app/b+api.ts': 'broken(' });
    await expect(exportApp({ projectRoot, clear: true })).rejects.toThrow('app/b+api.ts:1:8');
    expect(await readAll(path.join(projectRoot, 'dist'))).toEqual(before);
    expect((await readdir(projectRoot)).toSorted()).toEqual(['.appkit', 'app', 'dist']);
  });

  it('does not exist after a failed export that would have created it, nor do the folders around it', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': 'broken(', 'out/notes.txt': 'mine' });
    await expect(exportApp({ projectRoot, outputDir: 'out/deep/er/dist' })).rejects.toThrow('app/a+api.ts:1:8');
    expect(await readdir(path.join(projectRoot, 'out'))).toEqual(['notes.txt']);
  });

  it('is unchanged while routes are bundled, each of which is written next to it', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, 'app/b+api.ts': GET, 'dist/server/x': 'old' });
    const seen: string[][] = [];
    const onProgress = (): void => void seen.push(readdirSync(projectRoot, { recursive: true, encoding: 'utf8' }));
    await exportApp({ projectRoot, onProgress });
    const [written = []] = seen;
    expect(written.filter((name) => name.startsWith('dist/'))).toEqual(['dist/server', 'dist/server/x']);
    expect(written.filter((name) => /^\.dist-.*\+api\.js$/.test(name))).not.toEqual([]);
  });

  it('is unchanged when the export is killed, and the next one cleans up', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, 'dist/server/x': 'old' });
    const options = `{ projectRoot: ${JSON.stringify(projectRoot)}, onProgress: () => process.kill(process.pid, 'SIGKILL') }`;
    const script = `import { exportApp } from ${JSON.stringify(import.meta.resolve('./index.ts'))}; await exportApp(${options});`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(child, child.stderr).toMatchObject({ signal: 'SIGKILL' });
    expect(await readAll(path.join(projectRoot, 'dist'))).toEqual({ 'server/x': 'old' });
    expect(await readdir(projectRoot)).toHaveLength(3);
    await exportApp({ projectRoot });
    expect((await readdir(projectRoot)).toSorted()).toEqual(['.appkit', 'app', 'dist']);
  });

  it('is unchanged when writing fails', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, 'public/x': '' });
    const before = await readAll((await exportApp({ projectRoot })).outputDir);
    await symlink(path.join(projectRoot, 'public'), path.join(projectRoot, 'public/loop'));
    await expect(exportApp({ projectRoot })).rejects.toThrow('is a link to a folder that contains it');
    expect(await readAll(path.join(projectRoot, 'dist'))).toEqual(before);
    expect((await readdir(projectRoot)).toSorted()).toEqual(['.appkit', 'app', 'dist', 'public']);
  });

  it('stays a link when it is one, and maps lead to the project from where it points', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': GET, 'out/deep/keep.txt': '' });
    await symlink(path.join(projectRoot, 'out/deep'), path.join(projectRoot, 'dist'));
    const { outputDir } = await exportApp({ projectRoot });
    expect(outputDir).toBe(path.join(projectRoot, 'out/deep'));
    expect(await realpath(path.join(projectRoot, 'dist'))).toBe(outputDir);
    expect((await readdir(outputDir)).toSorted()).toEqual(['client', 'client.files', 'keep.txt', 'server']);
    const map = await readFile(path.join(outputDir, 'server/_appkit/functions/a+api.js.map'), 'utf8');
    expect(JSON.parse(map)).toMatchObject({ sourceRoot: '../../../../../' });
  });

  it.each([
    ['.', 'cannot equal or contain the project folder'],
    ['..', 'cannot equal or contain the project folder'],
    ['/', 'cannot equal or contain the project folder'],
    ['app', 'contain or be inside the routes folder'],
    ['app/dist', 'contain or be inside the routes folder'],
    ['src', 'contain or be inside the routes folder'],
    ['public', 'contain or be inside public'],
    ['public/dist', 'contain or be inside public'],
  ])('cannot be %s', async (outputDir, message) => {
    const files = { 'src/routes/a+api.ts': GET, 'app/a+api.ts': GET, 'public/x': '' };
    const root = outputDir === 'src' ? output('server', { root: 'src/routes' }) : {};
    const projectRoot = await createProject({ ...files, ...root });
    await expect(exportApp({ projectRoot, outputDir, clear: true })).rejects.toThrow(message);
    expect(await listFiles(projectRoot)).toEqual(Object.keys({ ...files, ...root }).toSorted());
  });
});

describe('redirects, rewrites and headers', () => {
  const options = {
    redirects: [{ source: '/old/[id]', destination: '/a?id=[id]', permanent: true }],
    rewrites: [{ source: '/b', destination: '/a' }],
    headers: { 'x-frame-options': 'DENY' },
  };

  it('are in the manifest, whose version older runtimes reject', async () => {
    const { manifest, warnings } = await exportFiles({ ...output('server', options), 'app/a+api.ts': GET });
    expect(manifest).toMatchObject({ version: 2, ...options });
    expect(warnings).toEqual([]);
    for (const one of Object.entries(options)) {
      const { manifest: other } = await exportFiles({
        ...output('server', Object.fromEntries([one])),
        'app/a+api.ts': GET,
      });
      expect([one[0], other.version]).toEqual([one[0], 2]);
    }
  });

  it('are named when no server is exported that could apply them', async () => {
    const { warnings } = await exportFiles({ ...output('static', options), 'app/.keep': '', 'public/x': '' });
    expect(warnings).toEqual(['Not exported: redirects, rewrites, headers. Set web.output to "server" for them.']);
  });
});

describe('listRoutes', () => {
  it('lists redirects and rewrites', async () => {
    const redirects = [{ source: '/old', destination: '/a' }];
    const rewrites = [{ source: '/b', destination: '/a', methods: ['GET'] }];
    const projectRoot = await createProject({ ...output('server', { redirects, rewrites }), 'app/a+api.ts': GET });
    expect(await listRoutes({ projectRoot })).toMatchObject({ redirects, rewrites });
  });

  it('lists routes by pattern with their methods and sizes, and writes nothing', async () => {
    const projectRoot = await createProject({
      ...output('static'),
      'app/z+api.ts': GET,
      'app/(g)/[id]+api.ts': 'export const PUT = () => {}; export const POST = () => {};',
      'app/+middleware.ts': 'export default () => {};',
      'app/index.tsx': 'export default () => null;',
    });
    const { routes, middleware } = await listRoutes({ projectRoot });
    expect(routes).toEqual([
      { pattern: '/[id]', methods: ['POST', 'PUT'], file: 'app/(g)/[id]+api.ts', bytes: expect.any(Number) },
      { pattern: '/z', methods: ['GET'], file: 'app/z+api.ts', bytes: expect.any(Number) },
    ]);
    expect(middleware).toEqual([{ role: 'top', pattern: '/', file: 'app/+middleware.ts', bytes: expect.any(Number) }]);
    expect(routes[0]?.bytes).toBeGreaterThan(100);
    expect((await readdir(projectRoot)).toSorted()).toEqual(['app', 'app.json']);
  });

  it('throws the problems of the app', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': 'export const get = 1;' });
    await expect(listRoutes({ projectRoot })).rejects.toThrow('Rename it to GET.');
  });
});
