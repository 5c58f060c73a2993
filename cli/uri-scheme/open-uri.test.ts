import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject } from './fixtures/project.ts';
import type { Project } from './fixtures/project.ts';

const HOSTILE = "myapp://x/ y?a=1&b='q'&c=$(id)`id`;reboot|#\\\"*?é";

/** Puts a tool on PATH that records its arguments. */
async function withTool(project: Project, name: string, ending = ''): Promise<{ PATH: string }> {
  const folder = path.join(project.root, 'bin');
  await mkdir(folder, { recursive: true });
  const record = `import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.RECORD, JSON.stringify(process.argv.slice(2)));`;
  await writeFile(path.join(folder, `${name}.mjs`), `${record}\n${ending}`);
  await writeFile(path.join(folder, name), `#!/bin/sh\nexec '${process.execPath}' "$0.mjs" "$@"\n`);
  await chmod(path.join(folder, name), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
}

const noSdk = { ANDROID_HOME: undefined, ANDROID_SDK_ROOT: undefined };

async function open(project: Project, name: string, args: string[], { ending = '', nodeArgs = [] as string[] } = {}) {
  const record = path.join(project.root, 'record.json');
  const env = { ...noSdk, ...(await withTool(project, name, ending)), RECORD: record };
  const result = await project.run(['open', ...args], { env, nodeArgs });
  return {
    ...result,
    argv: result.code === 0 ? (JSON.parse(await project.read('record.json')) as string[]) : undefined,
  };
}

describe('opening on Android', () => {
  const START = ['shell', 'am', 'start', '-W', '-a', 'android.intent.action.VIEW', '-d'];

  it('passes the URI to adb as one quoted argument, whatever it contains', async () => {
    await using project = await createProject({});
    const { code, stdout, argv } = await open(project, 'adb', ['-a', HOSTILE]);
    expect(code).toBe(0);
    expect(argv).toEqual([...START, `'${HOSTILE.replaceAll("'", String.raw`'\''`)}'`]);
    expect(stdout).toBe(`Opened ${HOSTILE} with adb.\n`);
  });

  it('is read as exactly that URI by a shell, such as the one on a device', async () => {
    await using project = await createProject({});
    const { argv = [] } = await open(project, 'adb', ['-a', HOSTILE, '--package', 'com.example.app']);
    // What adb does: it joins its arguments with blanks for the shell of the device.
    const line = `printf '%s\\n' ${argv.slice(1).join(' ')}`;
    const { stdout } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual([...START.slice(1), HOSTILE, 'com.example.app', '']);
  });

  it('names device and application', async () => {
    await using project = await createProject({});
    const args = ['-a', '--device', 'emulator-5554', '--package', 'com.example.app', 'myapp://x', '--json'];
    const { argv, stdout } = await open(project, 'adb', args);
    expect(argv).toEqual(['-s', 'emulator-5554', ...START, "'myapp://x'", 'com.example.app']);
    expect(JSON.parse(stdout)).toEqual({ uri: 'myapp://x', platform: 'android', command: ['adb', ...(argv ?? [])] });
  });

  it('uses adb from ANDROID_HOME', async () => {
    await using project = await createProject({});
    const { PATH } = await withTool(project, 'adb');
    const home = path.join(project.root, 'sdk');
    await cp(path.join(project.root, 'bin'), path.join(home, 'platform-tools'), { recursive: true });
    const tool = path.join(home, 'platform-tools/adb');
    const env = { ANDROID_HOME: home, PATH, RECORD: path.join(project.root, 'record.json') };
    const { code, stdout } = await project.run(['open', '-a', 'myapp://x', '--json'], { env });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { command: string[] }).command[0]).toBe(tool);
  });

  it('fails when adb fails, and when it prints an error but ends with 0', async () => {
    await using project = await createProject({});
    const failed = await open(project, 'adb', ['-a', 'myapp://x'], {
      ending: `console.error('adb: no devices/emulators found'); process.exit(1);`,
    });
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(
      /^error: myapp:\/\/x was not opened: adb: no devices\/emulators found\n {2}Connect a device/,
    );
    const refused = await open(project, 'adb', ['-a', 'myapp://x', '--json'], {
      ending: `console.log('Starting: Intent\\nError: Activity not started, unable to resolve Intent');`,
    });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'ERR_OPEN_FAILED' } });
  });

  it('says how to install adb when it is missing', async () => {
    await using project = await createProject({});
    const { code, stderr } = await project.run(['open', '-a', 'myapp://x'], { env: { ...noSdk, PATH: project.root } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: adb could not be started.*\n {2}Install .*ANDROID_HOME/),
    ]);
  });

  it('refuses an application name that the shell would interpret', async () => {
    await using project = await createProject({});
    const { code, stderr } = await open(project, 'adb', ['-a', 'myapp://x', '--package', 'a.b;reboot']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not the name of an Android application')]);
  });
});

describe('opening on iOS', () => {
  const onMac = ['--import', `data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})`];

  it('passes the URI to simctl unchanged', async () => {
    await using project = await createProject({});
    const { code, argv } = await open(project, 'xcrun', ['-i', HOSTILE], { nodeArgs: onMac });
    expect([code, argv]).toEqual([0, ['simctl', 'openurl', 'booted', HOSTILE]]);
    const other = await open(project, 'xcrun', ['-i', 'myapp://x', '--device', 'ID'], { nodeArgs: onMac });
    expect(other.argv).toEqual(['simctl', 'openurl', 'ID', 'myapp://x']);
  });

  it.skipIf(process.platform === 'darwin')('says that it needs a Mac', async () => {
    await using project = await createProject({});
    const { code, stderr } = await open(project, 'xcrun', ['-i', 'myapp://x']);
    expect([code, stderr]).toEqual([
      1,
      'error: The iOS simulator exists only on macOS.\n  Run this on a Mac, or open the URI on Android.\n',
    ]);
  });
});
