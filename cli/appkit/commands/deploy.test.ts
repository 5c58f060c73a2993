import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, startCli } from '../fixtures/cli-process.ts';
import type { CliResult } from '../fixtures/cli-process.ts';
import { writeStandIn } from '../fixtures/stand-in.ts';
import type { StandIn, StandInCall } from '../fixtures/stand-in.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

const APP = {
  'package.json': '{ "name": "shop", "version": "1.2.3", "dependencies": { "appkit-cli": "*", "appkit-server": "*" } }',
  'app.json': '{ "web": { "output": "server" } }',
  'app/hello+api.ts': 'export const GET = () => Response.json({ hello: "world" });',
  'public/robots.txt': 'User-agent: *\n',
  '.env': 'SECRET=never-to-be-copied',
};

const FILES = { vercel: 'vercel.json', netlify: 'netlify.toml', wrangler: 'wrangler.jsonc' } as const;

async function appFor(tool: keyof typeof FILES): Promise<TemporaryApp> {
  const app = await createTemporaryApp({ ...APP, [FILES[tool]]: '' });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

/** Runs `appkit deploy` with a stand-in for the tool. */
async function deployWith(
  tool: keyof typeof FILES,
  { runs = {}, args }: { runs?: Record<string, StandIn>; args: string[] },
): Promise<CliResult & { calls: StandInCall[]; folder: string }> {
  const { folder } = await appFor(tool);
  const { PATH, calls } = await writeStandIn(path.join(folder, '.tools'), { tool, runs });
  const result = await runCli(['deploy', ...args], { cwd: folder, env: { PATH } });
  return { ...result, calls: await calls(), folder };
}

describe('with the tool of a host', () => {
  const wrangler =
    'Uploaded shop (1.2 sec)\nDeployed shop triggers (0.3 sec)\n  https://shop.ada.workers.dev\nVersion: 1\n';
  const netlify = '\nProduction URL: <https://shop.example>\nUnique deploy URL: <https://1--shop.netlify.app>\n';

  it.each([
    [
      'vercel',
      'vercel',
      [],
      { deploy: { stdout: 'https://shop-1.vercel.app\n', stderr: 'Inspect: https://vercel.com/x' } },
      [
        ['build', '--yes'],
        ['deploy', '--prebuilt'],
      ],
      'https://shop-1.vercel.app',
    ],
    [
      'vercel',
      'vercel',
      ['--prod'],
      { deploy: { stdout: 'https://shop.vercel.app' } },
      [
        ['build', '--yes', '--prod'],
        ['deploy', '--prebuilt', '--prod'],
      ],
      'https://shop.vercel.app',
    ],
    [
      'netlify',
      'netlify',
      [],
      { deploy: { stdout: '\nDraft URL: <https://2--shop.netlify.app>\n' } },
      [
        ['build', '--context', 'deploy-preview'],
        ['deploy', '--no-build'],
      ],
      'https://2--shop.netlify.app',
    ],
    [
      'netlify',
      'netlify',
      ['--prod'],
      { deploy: { stdout: netlify } },
      [
        ['build', '--context', 'production'],
        ['deploy', '--no-build', '--prod'],
      ],
      'https://shop.example',
    ],
    ['cloudflare', 'wrangler', [], { deploy: { stdout: wrangler } }, [['deploy']], 'https://shop.ada.workers.dev'],
    [
      'cloudflare',
      'wrangler',
      ['--prod'],
      { deploy: { stdout: 'Deployed shop triggers (1 sec)\n  shop.example (custom domain)\n' } },
      [['deploy']],
      'https://shop.example',
    ],
  ] as const)(
    "deploys to %s with %s %j in the app's folder, and prints the URL last",
    async (host, tool, flags, runs, commands, url) => {
      const { code, stdout, calls, folder } = await deployWith(tool, { runs, args: ['--host', host, ...flags] });
      expect([code, calls]).toEqual([0, commands.map((args) => ({ args, cwd: folder }))]);
      expect(stdout.trimEnd().split('\n').at(-1)).toBe(url);
      expect(stdout).toContain(runs.deploy.stdout);
    },
  );

  it('exports first when the tool does not', async () => {
    const { folder, stderr } = await deployWith('wrangler', { args: ['--host', 'cloudflare'] });
    expect(stderr).toContain('Exported 1 route to dist.');
    expect(await readdir(path.join(folder, 'dist'))).toEqual(expect.arrayContaining(['client', 'server']));
  });

  it('prints the warnings of the export, and how many pages it has', async () => {
    const app = await appFor('wrangler');
    const files = {
      'app/index.tsx': 'export default () => <p>Home</p>;',
      'app/[section]/report+api.ts': "export const GET = () => new Response('report');",
      'app/admin/+middleware.ts': 'export default () => new Response(null, { status: 403 });',
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(app.folder, name)), { recursive: true });
      await writeFile(path.join(app.folder, name), content);
    }
    const { PATH } = await writeStandIn(path.join(app.folder, '.tools'), { tool: 'wrangler', runs: {} });
    const { stderr } = await runCli(['deploy', '--host', 'cloudflare'], { cwd: app.folder, env: { PATH } });
    expect(stderr).toContain('warning: app/[section]/report+api.ts may answer paths below /admin');
    expect(stderr).toContain('Exported 1 page and 2 routes to dist.');
  });

  it('prints one JSON object to stdout with --json, and the output of the tool to stderr', async () => {
    const runs = { build: { stdout: 'Building\n' }, deploy: { stdout: 'https://shop-1.vercel.app\n' } };
    const { stdout, stderr } = await deployWith('vercel', { runs, args: ['--host', 'vercel', '--json'] });
    expect(JSON.parse(stdout)).toEqual({
      host: 'vercel',
      url: 'https://shop-1.vercel.app',
      commands: ['vercel build --yes', 'vercel deploy --prebuilt'],
      dryRun: false,
    });
    expect(stderr).toContain('Building');
  });

  it('says so when the tool has printed no URL', async () => {
    const { code, stdout } = await deployWith('vercel', { args: ['--host', 'vercel'] });
    expect([code, stdout]).toEqual([0, 'Deployed. Vercel did not say to which URL.\n']);
  });

  it('passes the arguments after -- to the tool, for the upload only', async () => {
    const args = ['--host', 'vercel', '--', '--scope', 'a team', '--prod'];
    const { code, calls, stdout, stderr } = await deployWith('vercel', { args });
    // It may be a token.
    expect(stdout + stderr).not.toContain('a team');
    expect([code, calls.map((call) => call.args)]).toEqual([
      0,
      [
        ['build', '--yes'],
        ['deploy', '--prebuilt', '--scope', 'a team', '--prod'],
      ],
    ]);
  });

  it.each([
    ['vercel', 'vercel', [['build', '--yes']], 'vercel deploy --prebuilt'],
    ['netlify', 'netlify', [['build', '--context', 'deploy-preview', '--offline']], 'netlify deploy --no-build'],
    ['cloudflare', 'wrangler', [['deploy', '--dry-run']], 'wrangler deploy'],
  ] as const)('does not upload to %s in a dry run', async (host, tool, commands, upload) => {
    const { code, stdout, calls } = await deployWith(tool, { args: ['--host', host, '--dry-run'] });
    expect([code, calls.map(({ args }) => args), stdout]).toEqual([0, commands, `Not run: ${upload}\n`]);
  });

  it("exits with the tool's exit code, and does not upload a failed build", async () => {
    const runs = { build: { stderr: 'Error: no such project\n', code: 7 } };
    const { code, stderr, calls } = await deployWith('vercel', { runs, args: ['--host', 'vercel'] });
    expect([code, calls.length]).toEqual([7, 1]);
    expect(stderr).toContain(
      'Error: no such project\nerror: vercel build --yes ended with exit code 7.\n  See its output above.',
    );
  });

  // The output of the real tools, as `npm test` sees it.
  it.each([
    ['vercel', 'vercel', 'Error: No existing credentials found. Run `vercel login`', 'vercel login', 'VERCEL_TOKEN'],
    [
      'netlify',
      'netlify',
      'Error: Authentication required. NETLIFY_AUTH_TOKEN is not set',
      'netlify login',
      'NETLIFY_AUTH_TOKEN',
    ],
    [
      'cloudflare',
      'wrangler',
      "it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
      'wrangler login',
      'CLOUDFLARE_API_TOKEN',
    ],
  ] as const)('says what to run when the user is not logged in to %s', async (host, tool, text, login, token) => {
    const { code, stderr } = await deployWith(tool, {
      runs: { deploy: { stderr: `${text}\n`, code: 1 } },
      args: ['--host', host],
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/error: Not logged in to \w+\.\n/);
    expect(stderr).toContain(`Run npx ${login}; in a script set ${token} in the environment.`);
  });

  it('says so when the tool is killed', async () => {
    const runs = { deploy: { signal: 'SIGKILL' } } as const;
    const { code, stderr } = await deployWith('vercel', { runs, args: ['--host', 'vercel'] });
    expect(code).toBe(137);
    expect(stderr).toContain('vercel deploy --prebuilt was ended by SIGKILL.');
  });

  it('passes SIGINT on to the tool, and leaves nothing running', async () => {
    const { folder } = await appFor('vercel');
    const runs = { build: { stdout: 'waiting\n', waits: true } };
    const { PATH, calls } = await writeStandIn(path.join(folder, '.tools'), { tool: 'vercel', runs });
    await using cli = startCli(['deploy', '--host', 'vercel'], { cwd: folder, env: { PATH } });
    await expect.poll(calls).toHaveLength(1);
    cli.signal('SIGINT');
    const { code, stderr } = await cli.exited;
    expect(code).toBe(42);
    expect(stderr).toContain('vercel build --yes ended with exit code 42.');
  });

  it('says what to install when the tool is missing', async () => {
    const { folder } = await appFor('netlify');
    const { code, stderr } = await runCli(['deploy', '--host', 'netlify'], { cwd: folder, env: { PATH: '/nowhere' } });
    expect([code, stderr]).toEqual([
      1,
      'error: The tool of Netlify, netlify, is not installed.\n' +
        '  Run npm install --save-dev netlify-cli@27.10.2; then npx netlify login, or set NETLIFY_AUTH_TOKEN.\n',
    ]);
  });

  it('says what writes the configuration when it is missing', async () => {
    await using app = await createTemporaryApp(APP);
    const { code, stderr } = await runCli(['deploy', '--host', 'cloudflare'], { cwd: app.folder });
    expect(code).toBe(1);
    expect(stderr).toContain('Run npx appkit init --host cloudflare, which writes it.');
  });

  it.each([
    [['--host', 'vercl'], 'Did you mean vercel?'],
    [['--host', 'constructor'], 'appkit cannot deploy to constructor.'],
    [['--host', 'vercel', '--native', '--json'], "option '--native' cannot be used with option '--json'"],
    [['--host', 'mainframe'], 'The hosts are cloudflare, netlify, vercel, node.'],
    [[], "required option '--host <name>' not specified"],
  ])('refuses %j', async (args, text) => {
    await using app = await createTemporaryApp(APP);
    const { code, stderr } = await runCli(['deploy', ...args], { cwd: app.folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});

describe('within a native build', () => {
  const runs = { deploy: { stdout: 'https://shop-1.vercel.app\n', stderr: 'Inspect: https://vercel.com/x\n' } };
  const ON = { APPKIT_UNSTABLE_DEPLOY_SERVER: '1' };
  const read = (folder: string, file: string): Promise<string | undefined> =>
    readFile(path.join(folder, file), 'utf8').catch(() => undefined);

  /** Runs the script of the build phases as Xcode does: from another folder, with the path of ios/. */
  async function build(
    env: Record<string, string>,
    { files = {}, standIn = runs }: { files?: Record<string, string>; standIn?: Record<string, StandIn> } = {},
  ): Promise<CliResult & { folder: string; calls: StandInCall[] }> {
    const app = await createTemporaryApp({ ...APP, 'vercel.json': '', 'ios/Podfile': '', ...files });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const { folder } = app;
    const { PATH, calls } = await writeStandIn(path.join(folder, '.tools'), { tool: 'vercel', runs: standIn });
    const script = path.resolve(import.meta.dirname, '../scripts/deploy-server.sh');
    const xcode = { PROJECT_DIR: path.join(folder, 'ios'), CONFIGURATION: 'Release' };
    const child = spawn('sh', [script, 'vercel'], {
      cwd: tmpdir(),
      env: { ...process.env, NODE_ENV: undefined, ...xcode, PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: code as number, stdout, stderr, folder, calls: await calls() };
  }

  it("deploys a server for that build alone, passes its URL to the bundle, and keeps the tool's output", async () => {
    const { code, stdout, folder, calls } = await build(ON);
    expect([code, calls.map(({ args }) => args.join(' '))]).toEqual([0, ['build --yes', 'deploy --prebuilt']]);
    expect(stdout).toContain('https://shop-1.vercel.app is the server of this build.\n');
    expect(await read(folder, '.appkit/deployment.json')).toBe('{"origin":"https://shop-1.vercel.app"}\n');
    expect(await read(folder, '.expo/logs/deploy.log')).toBe(
      '$ vercel build --yes\n$ vercel deploy --prebuilt\nhttps://shop-1.vercel.app\nInspect: https://vercel.com/x\n',
    );
    expect(await read(folder, 'app.json')).toBe(APP['app.json']);
  });

  it.each([
    ['nobody has asked', {}, ''],
    ['a development build', { ...ON, CONFIGURATION: 'Debug' }, ''],
    [
      'APPKIT_NO_DEPLOY',
      { ...ON, APPKIT_NO_DEPLOY: '1' },
      'warning: No server is deployed: APPKIT_NO_DEPLOY is set.\n',
    ],
    ['APPKIT_OFFLINE', { ...ON, APPKIT_OFFLINE: '1' }, 'When you are online, run npx appkit deploy --host vercel'],
  ])('deploys nothing and lets the build continue: %s', async (_, env, said) => {
    const { code, stderr, calls, folder } = await build(env);
    expect([code, calls]).toEqual([0, []]);
    expect(said === '' ? stderr === '' : stderr.includes(said)).toBe(true);
    expect(await read(folder, '.appkit/deployment.json')).toBeUndefined();
  });

  it.each([
    ['app.config.ts', { 'app.config.ts': 'export default {};' }, 'cannot be deployed with app.config.ts'],
    [
      'extra.router.origin',
      { 'app.json': '{"expo":{"extra":{"router":{"origin":"https://a.test"}}}}' },
      'Remove it, or',
    ],
    ['a broken config', { 'app.json': '{' }, 'app.json is not valid JSON'],
  ])('is refused with %s, which leaves no place for the URL', async (_, files, message) => {
    const { code, stderr, calls } = await build(ON, { files });
    expect([code, calls]).toEqual([1, []]);
    expect(stderr).toContain(message);
  });

  it('fails the build when the deployment fails, and leaves no URL of an earlier one', async () => {
    const failed = { deploy: { stderr: 'Error: over quota\n', code: 3 } };
    const files = { '.appkit/deployment.json': '{"origin":"https://old.test"}' };
    const { code, stderr, folder } = await build(ON, { files, standIn: failed });
    expect([code, stderr]).toEqual([3, expect.stringContaining('vercel deploy --prebuilt ended with exit code 3')]);
    expect(await read(folder, '.expo/logs/deploy.log')).toContain('Error: over quota');
    expect(await read(folder, '.appkit/deployment.json')).toBeUndefined();
  });

  it('uploads a version of a Worker, next to the one in production', async () => {
    const { folder } = await appFor('wrangler');
    const stdout = 'Worker Version ID: 1\nVersion Preview URL: https://1a2b-shop.ada.workers.dev\n';
    const { PATH, calls } = await writeStandIn(path.join(folder, '.tools'), {
      tool: 'wrangler',
      runs: { versions: { stdout } },
    });
    const env = { PATH, ...ON };
    const result = await runCli(['deploy', '--native', '--host', 'cloudflare'], { cwd: folder, env });
    expect([result.code, (await calls()).map(({ args }) => args)]).toEqual([0, [['versions', 'upload']]]);
    expect(await read(folder, '.appkit/deployment.json')).toBe('{"origin":"https://1a2b-shop.ada.workers.dev"}\n');
  });

  it('refuses a host without URLs', async () => {
    const { folder } = await appFor('vercel');
    const { code, stderr } = await runCli(['deploy', '--native', '--host', 'node'], { cwd: folder, env: ON });
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no URL that a native build could call')]);
  });
});

/** An app with its own packages, as npm installs them. The other tests' app links to the repository's packages. */
async function createInstalledApp(files: Record<string, string>): Promise<TemporaryApp> {
  const app = await createTemporaryApp(files);
  const modules = path.join(app.folder, 'node_modules');
  await rm(modules);
  await mkdir(modules);
  await symlink(path.resolve(import.meta.dirname, '../../../runtime'), path.join(modules, 'appkit-server'), 'junction');
  return app;
}

describe('for node', () => {
  const SERVER = `import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { port } from './lib/port.mjs';
const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const server = createServer(handler).listen(port, '127.0.0.1', () => console.log(server.address().port));
`;
  const files = { ...APP, 'server.mjs': SERVER, 'lib/port.mjs': 'export const port = Number(process.env.PORT);\n' };

  it("writes a folder that runs by itself elsewhere, without the app's secrets", async () => {
    await using app = await createInstalledApp(files);
    const { code, stdout } = await runCli(['deploy', '--host', 'node'], { cwd: app.folder });
    const folder = path.join(app.folder, 'dist-node');
    expect([code, stdout]).toEqual([0, `${folder}\n`]);
    expect((await readdir(folder)).toSorted()).toEqual([
      '.dockerignore',
      '.written-by-appkit-deploy',
      'Dockerfile',
      'dist',
      'lib',
      'node_modules',
      'package.json',
      'server.mjs',
    ]);
    expect(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))).toEqual({
      name: 'shop',
      version: '1.2.3',
      private: true,
      type: 'module',
      scripts: { start: 'node server.mjs' },
    });
    expect(await readdir(path.join(folder, 'node_modules'))).toEqual(['appkit-server']);

    const elsewhere = await mkdtemp(path.join(tmpdir(), 'appkit-elsewhere-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    await cp(folder, elsewhere, { recursive: true });
    const server = spawn(process.execPath, ['server.mjs'], { cwd: elsewhere, env: { PORT: '0' }, stdio: 'pipe' });
    onTestFinished(() => void server.kill());
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const response = await fetch(`http://127.0.0.1:${String(port).trim()}/hello`);
    expect(await response.json()).toEqual({ hello: 'world' });
  });

  it('has a Dockerfile that starts the server as an unprivileged user, and stops it with SIGTERM', async () => {
    await using app = await createInstalledApp(files);
    await runCli(['deploy', '--host', 'node'], { cwd: app.folder });
    const lines = (await readFile(path.join(app.folder, 'dist-node/Dockerfile'), 'utf8')).trimEnd().split('\n');
    expect(lines).toEqual(expect.arrayContaining(['FROM node:24-slim', 'USER node', 'STOPSIGNAL SIGTERM']));
    expect(lines.at(-1)).toBe('CMD ["node","server.mjs"]');
  });

  it('recognizes its own folder even if it was killed before it moved the mark there', async () => {
    await using app = await createInstalledApp(files);
    const deploy = (): Promise<CliResult> => runCli(['deploy', '--host', 'node'], { cwd: app.folder });
    await deploy();
    const folder = path.join(app.folder, 'dist-node');
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const work = path.join(app.folder, `.dist-node-${dead}-abcDEF`);
    await mkdir(path.join(work, 'old'), { recursive: true });
    await rename(folder, path.join(work, 'new'));
    await mkdir(folder);
    const coming = await readdir(path.join(work, 'new'));
    await writeFile(path.join(work, 'swap.json'), JSON.stringify({ leaving: [], coming }));
    const { code, stderr } = await deploy();
    expect([code, stderr]).toEqual([0, expect.stringContaining('Exported')]);
    expect((await readdir(folder)).toSorted()).toEqual(coming.toSorted());
    expect(await readdir(app.folder)).not.toContain(path.basename(work));
  });

  it('replaces its own folder entirely, and no other folder', async () => {
    await using app = await createInstalledApp(files);
    const deploy = (...more: string[]): Promise<CliResult> =>
      runCli(['deploy', '--host', 'node', ...more], { cwd: app.folder });
    await deploy();
    await writeFile(path.join(app.folder, 'dist-node/old.txt'), '');
    expect((await deploy()).code).toBe(0);
    expect(await readdir(path.join(app.folder, 'dist-node'))).not.toContain('old.txt');
    await mkdir(path.join(app.folder, 'mine'));
    await mkdir(path.join(app.folder, 'docker'));
    await writeFile(path.join(app.folder, 'docker/Dockerfile'), 'FROM scratch\n');
    for (const out of ['mine', 'docker', '.', '..']) {
      const { code, stderr } = await deploy('--out', out);
      expect([code, stderr]).toEqual([1, expect.stringContaining('was not written by appkit deploy')]);
    }
    expect(await readdir(path.join(app.folder, 'mine'))).toEqual([]);
    expect(await readFile(path.join(app.folder, 'docker/Dockerfile'), 'utf8')).toBe('FROM scratch\n');
  });

  it('does not leave out a package that it cannot copy', async () => {
    await using app = await createTemporaryApp(files);
    const { code, stderr } = await runCli(['deploy', '--host', 'node'], { cwd: app.folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('It imports appkit-server, whose files cannot be')]);
  });

  it('writes nothing in a dry run', async () => {
    await using app = await createInstalledApp(files);
    const { code, stdout } = await runCli(['deploy', '--host', 'node', '--dry-run', '--json'], { cwd: app.folder });
    const folder = path.join(app.folder, 'dist-node');
    expect([code, JSON.parse(stdout)]).toEqual([0, { host: 'node', folder, commands: [], dryRun: true }]);
    expect(await readdir(app.folder)).not.toContain('dist-node');
  });

  it('names the missing files that its server imports', async () => {
    const server = `import './gone.mjs';\nimport '../outside.mjs';\nimport 'not-a-package';\nimport './db.cjs';\n`;
    await using app = await createTemporaryApp({ ...APP, 'server.mjs': server, 'db.cjs': '' });
    const { code, stderr } = await runCli(['deploy', '--host', 'node'], { cwd: app.folder });
    expect(code).toBe(1);
    expect(stderr).toContain('error: gone.mjs: The server imports it, and it is not there.');
    expect(stderr).toContain('error: server.mjs: It imports ../outside.mjs, which is not in the project');
    expect(stderr).toContain('not-a-package');
    expect(stderr).toContain('error: db.cjs: The server imports it, and it is CommonJS');
    expect(await readdir(app.folder)).not.toContain('dist-node');
  });
});
