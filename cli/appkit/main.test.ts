import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../conformance/temporary-folder.ts';
import { runCli } from './fixtures/cli-process.ts';
import { createTemporaryApp } from './fixtures/temporary-app.ts';

const cwd = tmpdir();

describe('help and version', () => {
  it('prints the commands and exits 0', async () => {
    const { code, stdout, stderr } = await runCli(['--help'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    for (const command of ['export', 'serve', 'routes', 'init']) expect(stdout).toContain(`  ${command} `);
  });

  it('prints the options of a command and the global options', async () => {
    const { code, stdout } = await runCli(['export', '--help'], { cwd });
    expect(code).toBe(0);
    for (const option of [
      '-p, --platform',
      '--output-dir',
      '--no-ssg',
      '--no-minify',
      '--dev',
      '-c, --clear',
      '--openapi',
      '-s, --source-maps',
      '--verbose',
    ]) {
      expect(stdout).toContain(option);
    }
  });

  it('prints the version of its package.json', async () => {
    const manifest = JSON.parse(await readFile(path.join(import.meta.dirname, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await runCli(['--version'], { cwd })).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});

describe('wrong usage exits 2 and does nothing', () => {
  it('suggests the nearest option', async () => {
    const { code, stderr } = await runCli(['export', '--no-sg'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--no-sg'");
    expect(stderr).toContain('Did you mean --no-ssg?');
  });

  it('suggests the nearest command', async () => {
    const { code, stderr } = await runCli(['exprot'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("unknown command 'exprot'");
    expect(stderr).toContain('Did you mean export?');
  });

  it('names the matching command for dev and build', async () => {
    expect(await runCli(['dev', '--port', '80'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: There is no command dev.\n  Run `appkit start` to develop the app.\n',
    });
    expect(await runCli(['build', '--help'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: There is no command build.\n  Run `appkit export` to write the app to dist.\n',
    });
    expect((await runCli(['--help'], { cwd })).stdout).not.toMatch(/^ +(?:dev|build)\b/m);
  });

  it('prints help when no command is given', async () => {
    const { code, stderr } = await runCli([], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: appkit');
  });

  it('refuses a second folder', async () => {
    expect((await runCli(['export', 'one', 'two'], { cwd })).code).toBe(2);
  });

  it('refuses a platform other than web', async () => {
    const { code, stderr } = await runCli(['export', '-p', 'ios'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("'ios' is invalid. Allowed choices are web.");
  });

  it('refuses a kind of source map that does not exist', async () => {
    const { code, stderr } = await runCli(['export', '--source-maps', 'outline'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are true, false, inline, external.');
  });

  it('refuses a port that is not a port', async () => {
    for (const port of ['-1', '65536', '80a', '']) {
      const { code, stderr } = await runCli(['serve', `--port=${port}`], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('A port is a number from 0 to 65535.');
    }
  });

  it('refuses a PORT that is not a port', async () => {
    for (const command of ['serve', 'start']) {
      const { code, stderr } = await runCli([command], { cwd, env: { PORT: 'http' } });
      expect([command, code]).toEqual([command, 2]);
      expect(stderr).toContain("value 'http' from env 'PORT' is invalid. A port is a number from 0 to 65535.");
    }
  });

  it('refuses a path that is not a folder', async () => {
    await using app = await createTemporaryApp({ 'package.json': '{}' });
    for (const command of ['export', 'routes', 'serve', 'start']) {
      for (const wrong of ['missing', 'package.json']) {
        expect([command, await runCli([command, wrong], { cwd: app.folder })]).toEqual([
          command,
          {
            code: 1,
            stdout: '',
            stderr: `error: ${wrong}: there is no such folder.\n  Name the folder of the app, or leave it out when you are in it.\n`,
          },
        ]);
      }
    }
  });

  it('refuses a folder without an app', async () => {
    await using app = await createTemporaryApp({ 'package.json': '{}' });
    const stderr = 'error: app: There is no routes folder.\n  Create app/hello+api.ts, or src/app/hello+api.ts.\n';
    for (const command of ['export', 'routes', 'start']) {
      expect([command, await runCli([command], { cwd: app.folder })]).toEqual([
        command,
        { code: 1, stdout: '', stderr },
      ]);
    }
  });

  it('refuses to export an app that has neither routes nor pages', async () => {
    for (const files of [{ 'app/.keep': '' }, { 'app/.keep': '', 'public/logo.svg': '<svg/>' }]) {
      await using app = await createTemporaryApp({ 'package.json': '{}', ...files });
      expect(await runCli(['export'], { cwd: app.folder })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'error: app: It contains no routes and no pages.\n' +
          '  Create app/hello+api.ts, which exports GET, or app/index.tsx, which exports a component.\n',
      });
    }
  });
});

it('keeps the compiled code of a command for the next one', async () => {
  await using folder = await createTemporaryFolder('appkit-compiled-');
  // Empty, since a folder in it would turn the cache on without the command.
  expect((await runCli(['--version'], { cwd, env: { TMPDIR: folder.path, NODE_COMPILE_CACHE: '' } })).code).toBe(0);
  expect(await readdir(folder.path)).toEqual(['node-compile-cache']);
});

describe('the time to shut down', () => {
  it('is refused when it is longer than a timer can wait', async () => {
    const { code, stderr } = await runCli(['serve', '--shutdown-timeout', '2147484'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('The most is 2147483 seconds, over 24 days.');
    expect((await runCli(['serve', '--shutdown-timeout', '2147483', 'nowhere'], { cwd })).code).toBe(1);
  });
});

describe('a version of Node that is too old', () => {
  it.each(['12.22.12', '18.20.8', '20.19.4', '22.11.9'])(
    '%s: says in one line which version is needed, and imports nothing',
    async (version) => {
      expect(await runCli(['--version'], { cwd, nodeArgs: pretendToBe(version) })).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: appkit needs Node 22.12 or later, this is ${version}. Install a newer one from https://nodejs.org.\n`,
      });
    },
  );

  it.each(['22.12.0', '23.0.0', '100.0.0'])('%s is not', async (version) => {
    const { stderr } = await runCli(['--version'], { cwd, nodeArgs: pretendToBe(version) });
    expect(stderr).toContain('imported ../lib/main.js');
  });

  it('can parse the file that says so', async () => {
    const code = await readFile(path.join(import.meta.dirname, 'bin/appkit.js'), 'utf8');
    expect(code).not.toMatch(/\?\.|\?\?|\|\|=|&&=|node:|^await|^import |\.at\(|replaceAll/m);
  });
});

// Runs before the file under test: sets another version, and throws for imports that an old version could not parse.
function pretendToBe(version: string): string[] {
  const preload = `
    import { registerHooks } from 'node:module';
    Object.defineProperty(process.versions, 'node', { value: '${version}' });
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.includes('lib/')) throw new Error('imported ' + specifier);
        return next(specifier, context);
      },
    });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
}
