import { on } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, startCli } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';

const APP = {
  'package.json': '{ "name": "exported", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  'app/hello+api.ts': `
    /* a comment that does not survive minifying */
    export const GET = (): Response => new Response('hello');`,
  'public/logo.svg': '<svg/>',
};

const ROUTE = 'server/_appkit/functions/hello+api.js';

describe('appkit export', () => {
  it('writes client and server and prints the size of each file', async () => {
    await using app = await createTemporaryApp(APP);
    const { code, stdout, stderr } = await runCli(['export', '-p', 'web'], { cwd: app.folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^File +Size +Gzip$/m);
    expect(stdout).toMatch(/^client\/logo\.svg +6 B +\d+ B$/m);
    expect(stdout).toMatch(/^server\/_appkit\/functions\/hello\+api\.js +\d+ B$/m);
    expect(stdout).toMatch(/^source maps +[\d.]+ k?B$/m);
    expect(stdout).toMatch(/^Exported 1 route to dist\. Try it: appkit serve\n$/m);
    expect(await readFile(path.join(app.folder, 'dist/client/logo.svg'), 'utf8')).toBe('<svg/>');
  });

  it("accepts the app's folder and another output folder", async () => {
    await using app = await createTemporaryApp(APP);
    const { code, stdout } = await runCli(['export', app.folder, '--output-dir', 'out/web'], {
      cwd: path.dirname(app.folder),
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`Try it: appkit serve ${path.join(path.basename(app.folder), 'out/web')}\n`);
    expect((await readdir(path.join(app.folder, 'out/web'))).sort()).toEqual(['client', 'client.files', 'server']);
  });

  it('prints the next command in a form that a shell understands', async () => {
    await using app = await createTemporaryApp(APP);
    const { stdout } = await runCli(['export', '--output-dir', "it's out"], { cwd: app.folder });
    expect(stdout).toContain(String.raw`Try it: appkit serve 'it'\''s out'` + '\n');
  });

  it('reports what is missing from many files once, with the first of them', async () => {
    const routes = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [
        `app/${name}+api.ts`,
        "import 'nowhere';\nexport const GET = (): Response => new Response();",
      ]),
    );
    await using app = await createTemporaryApp({ ...APP, ...routes, 'app/g+api.ts': "import './gone.ts';" });
    const { code, stderr } = await runCli(['export'], { cwd: app.folder });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: app/a+api.ts:1:8: Nothing was found for 'nowhere'.
  Install the package, or correct the name.
  The same in app/b+api.ts:1:8, app/c+api.ts:1:8, app/d+api.ts:1:8 and 2 more.
error: app/g+api.ts: The route exports no handler.
  Export a function named GET, POST or another method.
error: app/g+api.ts:1:8: Nothing was found for './gone.ts'.
  Correct the path.
`,
    );
  });

  it('exports a module that exports fetch, and refuses the options that only apps with route files have', async () => {
    await using app = await createTemporaryApp({
      'package.json': '{ "type": "module" }',
      'server.ts': 'export const fetch = (): Response => new Response("hello");',
    });
    const { code, stdout, stderr } = await runCli(['export', '--from', 'server.ts'], { cwd: app.folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^server\/_appkit\/fetch\/server\.js +/m);
    expect(stdout).toMatch(/^Exported the server to dist\. Try it: appkit serve\n$/m);
    for (const [args, message] of [
      [['--from', 'server.ts', '--no-ssg', '--openapi'], '--no-ssg and --openapi cannot be combined with --from.'],
      [['--conditions', 'workerd'], '--conditions is for --from alone.'],
    ] as const) {
      const refused = await runCli(['export', ...args], { cwd: app.folder });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  it('describes the routes in openapi.json on request, and says what it cannot describe', async () => {
    await using app = await createTemporaryApp({
      ...APP,
      'app/notes+api.ts': `
        import { contract } from 'appkit-server/contract';
        import { z } from 'zod';
        export const POST = contract({ input: { body: z.object({ at: z.date() }) } }, () => new Response());`,
    });
    const read = async (name: string): Promise<unknown> =>
      JSON.parse(await readFile(path.join(app.folder, name), 'utf8'));
    const { code, stderr, stdout } = await runCli(['export', '--openapi'], { cwd: app.folder });
    expect(code).toBe(0);
    expect(stderr).toContain(
      'app/notes+api.ts: the OpenAPI document does not describe the body of POST: Date cannot be represented in JSON Schema.',
    );
    expect(stdout).toMatch(/^openapi\.json +/m);
    expect(await read('dist/openapi.json')).toMatchObject({ openapi: '3.1.1', paths: { '/hello': {}, '/notes': {} } });
    expect((await runCli(['export', '--openapi', 'client'], { cwd: app.folder })).code).toBe(0);
    expect(await read('dist/client/openapi.json')).toHaveProperty('paths');
    expect((await runCli(['export', '--openapi', 'elsewhere'], { cwd: app.folder })).code).toBe(2);
  });

  it('writes only the server with --no-ssg', async () => {
    await using app = await createTemporaryApp(APP);
    expect((await runCli(['export', '--no-ssg'], { cwd: app.folder })).code).toBe(0);
    expect(await readdir(path.join(app.folder, 'dist'))).toEqual(['server']);
  });

  it('minifies, unless told not to or exporting for development', async () => {
    await using app = await createTemporaryApp(APP);
    const linesOfRoute = async (...flags: string[]): Promise<number> => {
      expect((await runCli(['export', ...flags], { cwd: app.folder })).code).toBe(0);
      const code = await readFile(path.join(app.folder, 'dist', ROUTE), 'utf8');
      return code.trim().split('\n').length;
    };
    const minified = await linesOfRoute();
    expect(await linesOfRoute('--no-minify')).toBeGreaterThan(minified);
    expect(await linesOfRoute('--dev')).toBeGreaterThan(minified);
  });

  it.each([
    [[], 'external'],
    [['-s'], 'external'],
    [['--source-maps', 'true'], 'external'],
    [['--source-maps=external'], 'external'],
    [['-s', 'inline'], 'inline'],
    [['--source-maps', 'false'], 'none'],
  ])('with %j: source maps are %s', async (flags, expected) => {
    await using app = await createTemporaryApp(APP);
    expect((await runCli(['export', ...flags], { cwd: app.folder })).code).toBe(0);
    const dist = path.join(app.folder, 'dist');
    const hasFile = (await readdir(dist, { recursive: true })).some((file) => file.endsWith('.map'));
    const isInline = (await readFile(path.join(dist, ROUTE), 'utf8')).includes('sourceMappingURL=data:');
    expect({ hasFile, isInline }).toEqual({ hasFile: expected === 'external', isInline: expected === 'inline' });
  });

  it('keeps other files in the output folder, and removes them with --clear', async () => {
    await using app = await createTemporaryApp({ ...APP, 'dist/notes.txt': 'mine' });
    expect((await runCli(['export'], { cwd: app.folder })).code).toBe(0);
    expect(await readdir(path.join(app.folder, 'dist'))).toContain('notes.txt');
    expect((await runCli(['export', '-c'], { cwd: app.folder })).code).toBe(0);
    expect(await readdir(path.join(app.folder, 'dist'))).not.toContain('notes.txt');
  });
});

describe('an app that cannot be exported', () => {
  it('reports every problem with its place and what to do, and exits with 1', async () => {
    await using app = await createTemporaryApp({
      ...APP,
      'app/one+api.ts': 'export const Get = () => new Response();',
      'app/two+api.web.ts': 'export const GET = () => new Response();',
    });
    const { code, stdout, stderr } = await runCli(['export'], { cwd: app.folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: app\/one\+api\.ts:1:\d+: .+\n {2}\S.+$/m);
    expect(stderr).toMatch(/^error: app\/two\+api\.web\.ts: .+\n {2}\S.+$/m);
    expect(stderr).not.toContain('    at ');
    expect(await readdir(app.folder)).not.toContain('dist');
  });

  it('shows the stack with --verbose, before or after the command', async () => {
    await using app = await createTemporaryApp({ ...APP, 'app/hello+api.ts': 'export const nothing = 1;' });
    for (const args of [
      ['export', '--verbose'],
      ['--verbose', 'export'],
    ]) {
      const { code, stderr } = await runCli(args, { cwd: app.folder });
      expect(code).toBe(1);
      expect(stderr).toContain('    at ');
    }
  });

  it('reports a folder that does not exist', async () => {
    await using app = await createTemporaryApp({});
    const { code, stderr } = await runCli(['export', 'nowhere'], { cwd: app.folder });
    expect([code, stderr]).toEqual([
      1,
      'error: nowhere: there is no such folder.\n  Name the folder of the app, or leave it out when you are in it.\n',
    ]);
  });
});

/** Makes an export copy one file only when it has received a signal, however late that is. */
const lastFileWaitsFor = (signal: string): string => `
  import { once } from 'node:events';
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { copyFile } = fs;
  fs.copyFile = async (from, to) => {
    if (!from.endsWith('last.txt')) return copyFile(from, to);
    const alive = setInterval(() => {}, 1000);
    await once(process, '${signal}');
    clearInterval(alive);
    return copyFile(from, to);
  };
  syncBuiltinESMExports();`;

describe('a signal to stop', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while files are written: nothing is left of them, and the exit code is %d', async (signal, code) => {
    const files = { 'public/first.txt': 'x', 'public/last.txt': 'x', 'public/never.txt': 'x' };
    await using app = await createTemporaryApp({ ...APP, 'dist/server/old.js': '', ...files });
    const before = (await readdir(app.folder)).toSorted();
    const watcher = watch(app.folder);
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(lastFileWaitsFor(signal))}`];
    await using cli = startCli(['export'], { cwd: app.folder, nodeArgs });
    for await (const [, name] of on(watcher, 'change', { signal: AbortSignal.timeout(120_000) }))
      if (name.startsWith('.dist-')) break;
    watcher.close();
    cli.signal(signal);
    expect(await cli.exited).toEqual({
      code,
      stdout: '',
      stderr: `error: The export was stopped by ${signal}.\n  The output folder is unchanged. Run the export again.\n`,
    });
    expect((await readdir(app.folder)).toSorted()).toEqual(before);
    expect(await readdir(path.join(app.folder, 'dist/server'))).toEqual(['old.js']);
  });
});

describe('colour', () => {
  const escape = '\u001B[';

  it('is used only for a terminal, unless it is asked for', async () => {
    await using app = await createTemporaryApp(APP);
    expect((await runCli(['export'], { cwd: app.folder })).stdout).not.toContain(escape);
    expect((await runCli(['export'], { cwd: app.folder, env: { FORCE_COLOR: '1' } })).stdout).toContain(escape);
  });
});
