import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runCli } from '../fixtures/cli-process.ts';
import { giveAway } from '../fixtures/give-away.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
const ADAPTERS = path.join(REPOSITORY, 'adapters');
const MANIFEST = '{ "name": "app", "dependencies": { "appkit-cli": "*", "appkit-server": "*" } }';
/** The file system of Yarn's Plug'n'Play, where a package is an archive: entries name their folder relative to the one that is read. */
const LIKE_YARN = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import path from 'node:path';
  const { readdirSync } = fs;
  fs.readdirSync = (folder, options) => {
    const entries = readdirSync(folder, options);
    if (!options?.withFileTypes) return entries;
    return entries.map((entry) => Object.assign(entry, { parentPath: path.relative(folder, entry.parentPath) || '.' }));
  };
  syncBuiltinESMExports();`;
const BUNDLER_LOADED = 'the bundler is loaded';
const REPORT_BUNDLER = `
  import { registerHooks } from 'node:module';
  const load = (url, context, next) => {
    if (url.includes('/node_modules/rolldown/')) console.log('${BUNDLER_LOADED}');
    return next(url, context);
  };
  registerHooks({ load });`;

async function filesOf(app: TemporaryApp): Promise<Record<string, string>> {
  const entries = await readdir(app.folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  const texts = files.map(async (file) => [path.relative(app.folder, file), await readFile(file, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

async function versionIn(folder: string): Promise<string> {
  const manifest = await readFile(path.join(REPOSITORY, folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version; // ours
}

async function template(file: string): Promise<string> {
  return await readFile(path.join(ADAPTERS, file), 'utf8');
}

describe('appkit init', () => {
  it("writes a host's files, in folders where they belong", async () => {
    await using app = await createTemporaryApp({ 'package.json': MANIFEST });
    const { code, stderr } = await runCli(['init', '--host', 'netlify'], { cwd: app.folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(await filesOf(app)).toEqual({
      'package.json': MANIFEST,
      'netlify.toml': await template('netlify/template/netlify.toml'),
      'netlify/functions/server.mjs': await template('netlify/template/netlify/functions/server.mjs'),
    });
  });

  it('writes them from a package that Yarn has not unpacked', async () => {
    await using app = await createTemporaryApp({ 'package.json': MANIFEST });
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(LIKE_YARN)}`];
    const { stderr } = await runCli(['init', '--host', 'netlify'], { cwd: app.folder, nodeArgs });
    expect([stderr, Object.keys(await filesOf(app)).toSorted()]).toEqual([
      '',
      ['netlify.toml', path.join('netlify', 'functions', 'server.mjs'), 'package.json'],
    ]);
  });

  it("writes a variant of a host's files", async () => {
    await using app = await createTemporaryApp({});
    expect((await runCli(['init', '--host', 'cloudflare-unbundled'], { cwd: app.folder })).code).toBe(0);
    expect(await filesOf(app)).toEqual({
      'worker.mjs': await template('cloudflare/template-unbundled/worker.mjs'),
      'wrangler.jsonc': await template('cloudflare/template-unbundled/wrangler.jsonc'),
    });
  });

  it("writes scripts that build, export and cache another framework's build", async () => {
    await using app = await createTemporaryApp({});
    const args = ['init', '--from', 'sveltekit', '--host'];
    expect((await runCli([...args, 'vercel'], { cwd: app.folder })).code).toBe(0);
    expect(JSON.parse((await filesOf(app))['vercel.json'] ?? '')).toMatchObject({
      buildCommand: 'npm run build && appkit export --from sveltekit && touch dist/client/favicon.ico',
      headers: [{ source: '/_app/immutable/(.*)' }],
    });
    expect((await runCli([...args, 'aws-lambda'], { cwd: app.folder })).code).toBe(0);
    expect((await filesOf(app))['template.yaml']).toContain('PathPattern: /_app/immutable/*');
    const { stdout } = await runCli([...args, 'node'], { cwd: app.folder });
    expect(stdout).toContain('npm run build && npx appkit export --from sveltekit\n');
    expect(stdout).not.toContain('there are no routes here yet');
  });

  it('writes the command that exports a module, but refuses a name that a shell would interpret', async () => {
    await using app = await createTemporaryApp({});
    expect((await runCli(['init', '--from', 'server/index.ts', '--host', 'netlify'], { cwd: app.folder })).code).toBe(
      0,
    );
    expect((await filesOf(app))['netlify.toml']).toContain('command = "appkit export --from server/index.ts"');
    const { code, stderr } = await runCli(['init', '--from', 'a"; rm', '--host', 'netlify'], { cwd: app.folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--from cannot be a"; rm.')]);
    const typo = await runCli(['init', '--from', 'react-ruoter', '--host', 'netlify'], { cwd: app.folder });
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean react-router?')]);
  });

  it('says what it wrote and what to do next, including the packages missing from package.json', async () => {
    await using app = await createTemporaryApp({
      'package.json': '{ "devDependencies": { "appkit-cli": "*" }, "dependencies": { "appkit-server": "*" } }',
      'app/hello+api.ts': '',
    });
    const { stdout } = await runCli(['init', '--host', 'cloudflare'], { cwd: app.folder });
    const { devDependencies } = JSON.parse(await template('cloudflare/template.json')) as {
      devDependencies: { wrangler: string };
    };
    expect(stdout.split('\n')).toEqual([
      'Written for cloudflare:',
      '  worker.mjs',
      '  wrangler.jsonc',
      '',
      'Next:',
      `  npm install --save-dev wrangler@${devDependencies.wrangler}`,
      '  npx appkit export -p web',
      '  npx wrangler deploy',
      '',
      'More about this host: docs/guide/deploy-cloudflare.md in the repository of appkit.',
      '',
    ]);
  });

  it('says what an app still lacks: our packages and routes', async () => {
    await using app = await createTemporaryApp({});
    const { stdout } = await runCli(['init', '--host', 'bun'], { cwd: app.folder });
    expect(stdout).toContain('  # there are no routes here yet: create app/hello+api.ts\n');
    expect(stdout).toContain(
      '  # add appkit-cli and appkit-server to package.json, by "In your own app" of appkit\'s README\n',
    );
    expect(stdout).not.toContain('npm install');
  });

  const LOCKED = 'app/hello+api.ts';

  it.each([
    ['package-lock.json', '', 'npm install --save-dev wrangler', 'npx appkit export -p web', 'npx wrangler deploy'],
    [
      'pnpm-lock.yaml',
      '',
      'pnpm add --save-dev wrangler',
      'pnpm exec appkit export -p web',
      'pnpm exec wrangler deploy',
    ],
    ['yarn.lock', '', 'yarn add --dev wrangler', 'yarn appkit export -p web', 'yarn wrangler deploy'],
    ['bun.lock', '', 'bun add --dev wrangler', 'bunx appkit export -p web', 'bunx wrangler deploy'],
    [
      LOCKED,
      'yarn/4.18.1 npm/? node/v24',
      'yarn add --dev wrangler',
      'yarn appkit export -p web',
      'yarn wrangler deploy',
    ],
    ['package-lock.json', 'pnpm/12.4.2 npm/?', 'npm install --save-dev wrangler', 'npx appkit export', 'npx wrangler'],
  ])('prints the commands of the package manager in use: %s %s', async (lock, agent, ...commands) => {
    await using app = await createTemporaryApp({ 'package.json': MANIFEST, [LOCKED]: '', [lock]: '' });
    const env = { npm_config_user_agent: agent };
    const { stdout } = await runCli(['init', '--host', 'cloudflare'], { cwd: app.folder, env });
    for (const command of commands) expect(stdout).toContain(`\n  ${command}`);
  });

  it('prints the commands of the package manager of the workspace, not of any folder above', async () => {
    await using workspace = await createTemporaryApp({
      'yarn.lock': '',
      'package.json': '{ "workspaces": ["apps/*"] }',
      'apps/web/package.json': MANIFEST,
      'apps/other/package.json': '{ "packageManager": "bun@1.4.5" }',
    });
    const env = { npm_config_user_agent: '' };
    const nextIn = async (folder: string, host: string): Promise<string> => {
      const { stdout } = await runCli(['init', '--host', host], { cwd: path.join(workspace.folder, folder), env });
      return stdout.slice(stdout.indexOf('Next:'));
    };
    expect(await nextIn('apps/web', 'express')).toMatch(
      /\n {2}yarn add express@\S+\n {2}yarn appkit .*\n {2}yarn node server.mjs\n/,
    );
    expect(await nextIn('apps/other', 'google-cloud-functions')).toMatch(
      /\n {2}bun add \S+\n {2}bunx appkit .*\n {2}bun run function /,
    );
    await writeFile(path.join(workspace.folder, 'package.json'), '{}');
    expect(await nextIn('apps/web', 'cloudflare')).toContain('  npx appkit export -p web\n  npx wrangler deploy\n');
    const made = await runCli(['init', 'new'], {
      cwd: workspace.folder,
      env: { npm_config_user_agent: 'pnpm/12.4.2' },
    });
    expect(made.stdout).toContain('  pnpm install\n  pnpm start\n  pnpm exec appkit init --host <name> #');
  });

  it("does not write a host's files through a link that leads out of the app", async () => {
    await using outside = await createTemporaryApp({});
    await using app = await createTemporaryApp({ 'package.json': MANIFEST });
    await symlink(outside.folder, path.join(app.folder, 'netlify'));
    const { code, stderr } = await runCli(['init', '--host', 'netlify', '--force'], { cwd: app.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('netlify is a link that leads out of the folder')]);
    expect(await filesOf(outside)).toEqual({});
    expect(await filesOf(app)).toEqual({ 'package.json': MANIFEST });
  });

  it("accepts the app's folder", async () => {
    await using app = await createTemporaryApp({});
    const name = path.basename(app.folder);
    const { stdout } = await runCli(['init', name, '--host', 'node'], { cwd: path.dirname(app.folder) });
    expect(stdout).toContain(`Next:\n  cd ${name}\n  # there are no routes`);
    expect(Object.keys(await filesOf(app))).toEqual(['server.mjs']);
    const { code, stderr } = await runCli(['init', 'nowhere', '--host', 'node'], { cwd: app.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('nowhere: there is no such folder.')]);
  });
});

describe('a new app', () => {
  const names = (app: TemporaryApp): Promise<string[]> => filesOf(app).then((files) => Object.keys(files).toSorted());

  it('has pages, routes and middleware, in a new folder that it is named after', async () => {
    await using app = await createTemporaryApp({});
    const { code, stdout, stderr } = await runCli(['init', 'My_Shop'], { cwd: app.folder });
    expect([code, stderr]).toEqual([0, '']);
    const files = await filesOf(app);
    for (const file of ['+middleware.ts', 'index.tsx', '_layout.tsx', '+not-found.tsx', 'hello+api.ts'])
      expect(files).toHaveProperty([`My_Shop/app/${file}`]);
    expect(files['My_Shop/.gitignore']).toContain('node_modules/');
    expect(JSON.parse(files['My_Shop/package.json'] ?? '')).toMatchObject({
      name: 'my-shop',
      scripts: { start: 'appkit start' },
    });
    expect(stdout).toContain(
      'Next:\n  cd My_Shop\n  # add appkit-cli, appkit-router, and appkit-server to package.json, by "In your own app" of appkit\'s README\n' +
        '  npm install\n  npm start\n',
    );
  });

  it('has only server routes with --minimal', async () => {
    await using app = await createTemporaryApp({});
    expect((await runCli(['init', '--minimal'], { cwd: app.folder })).code).toBe(0);
    expect(await names(app)).toEqual([
      '.gitignore',
      'README.md',
      'app.json',
      'app/hello+api.ts',
      'package.json',
      'tsconfig.json',
    ]);
    expect(JSON.parse((await filesOf(app))['package.json'] ?? '').dependencies).toEqual({
      'appkit-cli': await versionIn('cli/appkit'),
      'appkit-server': await versionIn('runtime'),
    });
  });

  it('answers HEAD from GET, with pages and without', async () => {
    for (const flags of [[], ['--minimal']]) {
      await using app = await createTemporaryApp({});
      expect((await runCli(['init', ...flags], { cwd: app.folder })).code).toBe(0);
      const { plugins } = JSON.parse((await filesOf(app))['app.json'] ?? '{}');
      expect(plugins).toEqual([['appkit-router', { implicitHead: true }]]);
    }
  });

  it('prints the next cd in a form that a shell understands', async ({ skip }) => {
    skip(process.platform === 'win32', 'the shell is another there');
    await using app = await createTemporaryApp({});
    const name = "it's $(touch injected) `touch injected`; my *app";
    const { stdout } = await runCli(['init', name], { cwd: app.folder });
    const [, command = ''] = /^ {2}(cd .*)$/m.exec(stdout) ?? [];
    const { stdout: where } = await promisify(execFile)('sh', ['-c', `${command} && pwd -P`], { cwd: app.folder });
    expect(path.basename(where.trim())).toBe(name);
    expect((await readdir(app.folder)).filter((file) => file !== 'node_modules')).toEqual([name]);
  });

  it('keeps the fields of an existing package.json, such as where its packages come from', async () => {
    const mine = {
      name: 'mine',
      dependencies: { 'appkit-cli': 'file:a.tgz', 'appkit-server': 'file:b.tgz', vite: '8.0.0' },
    };
    await using app = await createTemporaryApp({ 'package.json': JSON.stringify(mine) });
    const { code, stdout } = await runCli(['init', '--minimal'], { cwd: app.folder });
    expect(code).toBe(0);
    const manifest = JSON.parse((await filesOf(app))['package.json'] ?? '');
    expect(manifest).toMatchObject({ ...mine, scripts: { build: 'appkit export -p web' } });
    expect(Object.keys(manifest.devDependencies)).toEqual(['@types/node', 'typescript']);
    expect(stdout).toContain('Next:\n  npm install\n  npm start\n');
  });

  it('says how to start it when an existing package.json starts something else', async () => {
    await using app = await createTemporaryApp({ 'package.json': '{ "scripts": { "start": "node server.js" } }' });
    const { stdout } = await runCli(['init', '--minimal'], { cwd: app.folder });
    expect(stdout).toContain('  npm install\n  npx appkit start\n');
    expect(JSON.parse((await filesOf(app))['package.json'] ?? '').scripts.start).toBe('node server.js');
  });

  it('takes files with the line ends of Windows for unchanged, and leaves them', async () => {
    await using app = await createTemporaryApp({ 'app/hello+api.ts': '' });
    const init = ['init', '--host', 'node'];
    await runCli(init, { cwd: app.folder });
    const { 'server.mjs': text = '' } = await filesOf(app);
    const changed = text.replaceAll('\n', '\r\n');
    await writeFile(path.join(app.folder, 'server.mjs'), changed);
    expect((await runCli(init, { cwd: app.folder })).stdout).toContain('  server.mjs (as it was)\n');
    expect((await filesOf(app))['server.mjs']).toBe(changed);
  });

  it('replaces existing files only with --force', async () => {
    await using app = await createTemporaryApp({ 'README.md': 'mine' });
    const { code, stderr } = await runCli(['init'], { cwd: app.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('differ from the template: README.md. Nothing')]);
    expect(await filesOf(app)).toEqual({ 'README.md': 'mine' });
    expect((await runCli(['init', '--force'], { cwd: app.folder })).code).toBe(0);
    expect((await filesOf(app))['README.md']).toContain('# A new app');
  });

  it('is not written through a link that leads out of its folder, not even with --force', async () => {
    await using outside = await createTemporaryApp({ 'README.md': 'theirs' });
    const { folder } = outside;
    for (const [link, target, said] of [
      ['app', folder, 'app is a link that leads out of the folder'],
      ['app', path.join(folder, 'none'), 'app is a link that leads nowhere'],
      ['README.md', path.join(folder, 'README.md'), 'README.md is a link that leads out of the folder'],
      ['app.json', path.join(folder, 'new.json'), 'app.json is a link that leads nowhere'],
    ] as const) {
      await using app = await createTemporaryApp({});
      await symlink(target, path.join(app.folder, link));
      const { code, stderr } = await runCli(['init', '--force'], { cwd: app.folder });
      expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
      expect((await readdir(app.folder)).filter((file) => file !== 'node_modules')).toEqual([link]);
    }
    expect(await filesOf(outside)).toEqual({ 'README.md': 'theirs' });
  });

  it('is written through links that stay in its folder, and when the folder itself is reached through a link', async () => {
    await using app = await createTemporaryApp({});
    await mkdir(path.join(app.folder, 'real/source'), { recursive: true });
    await symlink('source', path.join(app.folder, 'real/server'));
    await symlink('real', path.join(app.folder, 'linked'));
    const { code, stderr } = await runCli(['init', 'linked'], { cwd: app.folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(Object.keys(await filesOf(app))).toContainEqual(expect.stringMatching(/^real\/source\//));
  });

  it('is refused where a file is in the way, and says which', async () => {
    await using app = await createTemporaryApp({ file: '', 'folder/package.json/x': '' });
    const before = await filesOf(app);
    const inTheWay = 'error: file: this is a file, where a folder is needed. Nothing was written.\n';
    for (const [folder, error] of [
      ['file', inTheWay],
      ['file/sub/app', inTheWay],
      [
        'folder',
        'error: package.json: this file cannot be written: there is a folder of that name. Nothing was written.',
      ],
    ] as const) {
      const { code, stdout, stderr } = await runCli(['init', folder], { cwd: app.folder });
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(error)]);
    }
    expect(await filesOf(app)).toEqual(before);
  });

  it('is written as a whole or not at all, when a file or folder is read-only', async () => {
    await using app = await createTemporaryApp({ 'package.json': '{}', 'closed/.keep': '' });
    const user = await giveAway(app, ['package.json', 'closed']);
    const before = await filesOf(app);
    await chmod(path.join(app.folder, 'package.json'), 0o444);
    await chmod(path.join(app.folder, 'closed'), 0o555);
    for (const [args, place] of [
      [['--minimal'], 'package.json'],
      [['--host', 'aws-lambda'], 'package.json'],
      [['closed'], 'closed'],
      [['closed/new/app'], 'closed'],
      [['closed', '--host', 'node'], 'closed'],
    ] as const) {
      const { code, stdout, stderr } = await runCli(['init', ...args], { cwd: app.folder, ...user });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        new RegExp(
          `^error: ${place}: the system does not allow writing here: EACCES\\. Nothing was written\\.\n  Check`,
        ),
      );
    }
    expect(await filesOf(app)).toEqual(before);
    await chmod(path.join(app.folder, 'closed'), 0o755);
    await chmod(path.join(app.folder, 'package.json'), 0o644);
    expect((await runCli(['init', '--minimal'], { cwd: app.folder, ...user })).code).toBe(0);
  });

  it('is not created for a host: that is the next step', async () => {
    await using app = await createTemporaryApp({});
    const { code, stderr } = await runCli(['init', '--minimal', '--host', 'node'], { cwd: app.folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("'--minimal' cannot be used with option '--host <name>'"),
    ]);
    expect(await filesOf(app)).toEqual({});
  });
});

describe('existing files', () => {
  it('cause no conflict when they are the same', async () => {
    await using app = await createTemporaryApp({ 'vercel.json': await template('vercel/template/vercel.json') });
    const { code, stdout } = await runCli(['init', '--host', 'vercel'], { cwd: app.folder });
    expect(code).toBe(0);
    expect(stdout).toContain('  api/index.mjs\n  vercel.json (as it was)\n');
  });

  it.each([
    ['deno', 'deno.json'],
    ['vercel', 'vercel.json'],
    ['cloudflare', 'wrangler.jsonc'],
    ['netlify', 'netlify.toml'],
  ])('and differ are refused for %s, and nothing is written: %s', async (host, file) => {
    await using app = await createTemporaryApp({ [file]: 'mine' });
    expect(await runCli(['init', '--host', host], { cwd: app.folder })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: These files exist and differ from the template: ${file}. Nothing was written.\n` +
        '  Move away what you need, or replace all of them with --force.\n',
    });
    expect(await filesOf(app)).toEqual({ [file]: 'mine' });
  });

  it('that are the same function for the host are refused, even with --force', async () => {
    const files = {
      'package.json': MANIFEST,
      'api/index.js': 'mine',
      'api/jobs.js': 'mine',
      'app/mail+job.ts': "import { defineJob } from 'appkit-server/jobs';\nexport default defineJob({ run() {} });\n",
    };
    await using app = await createTemporaryApp(files);
    const before = await filesOf(app);
    for (const flags of [[], ['--force']]) {
      const { code, stdout, stderr } = await runCli(['init', '--host', 'vercel', ...flags], { cwd: app.folder });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(
        'error: api/index.js, api/jobs.js: Vercel names functions without the extension, and the template has api/index.mjs, api/jobs.mjs. Nothing was written.\n' +
          '  Files that host this app go on working: keep them',
      );
    }
    expect(await filesOf(app)).toEqual(before);
  });

  it('that are the same function in another language are refused too', async () => {
    await using app = await createTemporaryApp({
      'package.json': MANIFEST,
      'api/index.py': 'mine',
      'api/index.md': '',
    });
    const { code, stderr } = await runCli(['init', '--host', 'vercel'], { cwd: app.folder });
    expect(code).toBe(1);
    expect(stderr).toContain('error: api/index.py: Vercel names functions without the extension');
  });

  it('and differ are all named', async () => {
    await using app = await createTemporaryApp({ 'server.mjs': 'mine', 'deno.json': '{}' });
    const { stderr } = await runCli(['init', '--host', 'deno'], { cwd: app.folder });
    expect(stderr).toContain(': deno.json, server.mjs. Nothing');
  });

  it('are replaced with --force', async () => {
    await using app = await createTemporaryApp({ 'server.mjs': 'mine' });
    const { code, stdout } = await runCli(['init', '--host', 'express', '--force'], { cwd: app.folder });
    expect(code).toBe(0);
    expect(stdout).toContain('  server.mjs (replaced)\n');
    expect(await filesOf(app)).toEqual({ 'server.mjs': await template('express/template/server.mjs') });
  });

  it.each([
    ['a folder where a file goes', 'vercel.json/notes.txt', 'vercel.json', 'there is a folder of that name'],
    ['a file where a folder goes', 'api', path.join('api', 'index.mjs'), 'its folder is a file'],
  ])('are refused, even with --force, when they are %s', async (_, file, named, reason) => {
    await using app = await createTemporaryApp({ [file]: 'mine' });
    const { code, stderr } = await runCli(['init', '--host', 'vercel', '--force'], { cwd: app.folder });
    expect([code, stderr]).toEqual([
      1,
      `error: ${named}: this file cannot be written: ${reason}. Nothing was written.\n  Rename that first.\n`,
    ]);
    expect(await filesOf(app)).toEqual({ [path.normalize(file)]: 'mine' });
  });
});

describe('the scripts of vercel-legacy', () => {
  const init = ['init', '--host', 'vercel-legacy'];
  const added = ',\n    "vercel-build": "appkit export -p web && touch dist/client/favicon.ico"';
  const manifest = (more = ''): string => `{\n  "name": "app",\n  "scripts": {\n    "test": "vitest"${more}\n  }\n}\n`;

  it('become a package.json where none exists', async () => {
    await using app = await createTemporaryApp({});
    await runCli(init, { cwd: app.folder });
    expect((await filesOf(app))['package.json']).toBe(await template('vercel/template-legacy/package.json'));
  });

  it('are added to an existing package.json, and the output says so', async () => {
    await using app = await createTemporaryApp({ 'package.json': manifest() });
    const { code, stdout } = await runCli(init, { cwd: app.folder });
    expect(code).toBe(0);
    expect(stdout).toContain('  package.json (its scripts.vercel-build set, the rest unchanged)\n');
    expect((await filesOf(app))['package.json']).toBe(manifest(added));
    expect((await runCli(init, { cwd: app.folder })).stdout).toContain('  package.json (as it was)\n');
  });

  it('are refused when a script of that name differs, and set with --force', async () => {
    const mine = manifest(',\n    "vercel-build": "mine"');
    await using app = await createTemporaryApp({ 'package.json': mine });
    const { code, stderr } = await runCli(init, { cwd: app.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining(': package.json (its scripts.vercel-build). Nothing')]);
    expect(await filesOf(app)).toEqual({ 'package.json': mine });
    expect((await runCli([...init, '--force'], { cwd: app.folder })).code).toBe(0);
    expect((await filesOf(app))['package.json']).toBe(manifest(added));
  });

  it.each([
    ['{ "scripts": ', 'this is not a JSON object'],
    ['[]', 'this is not a JSON object'],
    ['{ "scripts": "none" }', '"scripts" is not an object'],
  ])('are not added to an invalid package.json: %s', async (text, reason) => {
    await using app = await createTemporaryApp({ 'package.json': text });
    const { code, stderr } = await runCli([...init, '--force'], { cwd: app.folder });
    expect([code, stderr]).toEqual([1, `error: package.json: ${reason}. Nothing was written.\n  Correct it first.\n`]);
    expect(await filesOf(app)).toEqual({ 'package.json': text });
  });
});

describe('the hosts', () => {
  it('are listed, each with a description', async () => {
    await using app = await createTemporaryApp({});
    const { code, stdout } = await runCli(['init', '--list'], { cwd: app.folder });
    const adapters = (await readdir(ADAPTERS)).filter((name) => !name.startsWith('_'));
    expect(code).toBe(0);
    for (const name of adapters) expect(stdout).toMatch(new RegExp(`^${name} +\\S.+$`, 'm'));
    expect(stdout).toMatch(/^vercel-legacy +Vercel, with /m);
    expect(await filesOf(app)).toEqual({});
  });

  it('are listed for an existing app when none is named', async () => {
    await using app = await createTemporaryApp({ 'app/hello+api.ts': '' });
    const { code, stderr } = await runCli(['init'], { cwd: app.folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: There is already an app here\.\n {2}Name .* The hosts are:\n\nHost +What it is\n/);
    expect(await filesOf(app)).toEqual({ 'app/hello+api.ts': '' });
  });

  it('are listed for an unknown name, with the one that was probably meant', async () => {
    await using app = await createTemporaryApp({});
    const { code, stderr } = await runCli(['init', '--host', 'vercel-legasy'], { cwd: app.folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: There is no host vercel-legasy\.\n {2}Did you mean vercel-legacy\? The hosts are:\n/,
    );
    const other = await runCli(['init', '--host', '../../etc'], { cwd: app.folder });
    expect(other.stderr).toMatch(/^error: There is no host \.\.\/\.\.\/etc\.\n {2}The hosts are:\n/);
  });

  it('are suggested without loading the bundler', async () => {
    await using app = await createTemporaryApp({
      'app/hello+api.ts': "export const GET = () => new Response('hello');",
    });
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(REPORT_BUNDLER)}`];
    const suggested = await runCli(['init', '--host', 'vercel-legasy'], { cwd: app.folder, nodeArgs });
    expect(suggested.stderr).toContain('Did you mean vercel-legacy?');
    expect(suggested.stdout).not.toContain(BUNDLER_LOADED);
    const bundled = await runCli(['routes'], { cwd: app.folder, nodeArgs });
    expect(bundled.stdout).toContain(BUNDLER_LOADED);
  });
});
