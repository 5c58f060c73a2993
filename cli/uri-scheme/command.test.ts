import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, manifest, plist } from './fixtures/project.ts';

const FILES = {
  'ios/App.xcodeproj/project.pbxproj': '',
  'ios/App/Info.plist': plist(),
  'android/app/src/main/AndroidManifest.xml': manifest(),
  'app.json': '{\n  "name": "app"\n}\n',
};

describe('uri-scheme add and remove', () => {
  it('says which files were changed, and which had the scheme', async () => {
    await using project = await createProject(FILES);
    expect(await project.run(['add', 'com.example.app', '-a'])).toEqual({
      code: 0,
      stdout: 'Added com.example.app:\n  android/app/src/main/AndroidManifest.xml\n',
      stderr: '',
    });
    expect((await project.run(['add', 'com.example.app'])).stdout).toBe(
      'Added com.example.app:\n  ios/App/Info.plist\n  android/app/src/main/AndroidManifest.xml (already exists)\n  app.json\n',
    );
    const before = await project.readAll();
    expect(await project.run(['add', 'com.example.app'])).toEqual({
      code: 0,
      stdout:
        'com.example.app already exists in ios/App/Info.plist, android/app/src/main/AndroidManifest.xml, app.json. Nothing to change.\n',
      stderr: '',
    });
    expect(await project.readAll()).toEqual(before);
    expect((await project.run(['remove', 'com.example.app'])).stdout).toMatch(/^Removed com\.example\.app:\n/);
    expect(await project.readAll()).toEqual(FILES);
    const nothing = await project.run(['remove', 'com.example.app', '-i']);
    expect(nothing).toEqual({
      code: 0,
      stdout: 'com.example.app does not exist in ios/App/Info.plist. Nothing to change.\n',
      stderr: '',
    });
  });

  it('lower-cases a scheme without prompting', async () => {
    await using project = await createProject(FILES);
    const { code, stderr } = await project.run(['add', 'MyApp']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: MyApp is written as myapp: .*\nwarning: myapp is not a domain name in reverse/);
    expect(await project.read('app.json')).toContain('"scheme": "myapp"');
  });

  it('removes a handwritten scheme in upper case, and the one in lower case', async () => {
    const config = (...schemes: string[]): string => JSON.stringify({ scheme: ['one', 'Two', ...schemes] });
    await using project = await createProject({ 'app.json': config('MyApp', 'myapp') });
    expect((await project.run(['remove', 'MyApp'])).code).toBe(0);
    expect(await project.read('app.json')).toBe(config());
  });

  it('removes a scheme that apps cannot have if a file contains it, and refuses it otherwise', async () => {
    const type = (scheme: string): string =>
      plist(
        `\n\t<key>CFBundleURLTypes</key>\n\t<array><dict><key>CFBundleURLSchemes</key><array><string>${scheme}</string></array></dict></array>`,
      );
    for (const scheme of ['my_app', 'http', '1a', '']) {
      await using project = await createProject({
        ...FILES,
        'app.json': JSON.stringify({ scheme: ['one', scheme] }),
        'ios/App/Info.plist': type(scheme),
      });
      expect((await project.run(['add', scheme])).code).toBe(2);
      expect([scheme, (await project.run(['remove', scheme])).code]).toEqual([scheme, 0]);
      expect(await project.read('app.json')).toBe(JSON.stringify({ scheme: ['one'] }));
      expect(await project.read('ios/App/Info.plist')).not.toContain('CFBundleURLSchemes');
      const before = await project.readAll();
      const again = await project.run(['remove', scheme]);
      expect([again.code, again.stdout, again.stderr]).toEqual([2, '', expect.stringMatching(/^error: .*scheme/)]);
      expect(await project.readAll()).toEqual(before);
    }
  });

  it('keeps a byte order mark and the line breaks of Windows', async () => {
    const files = { 'app.json': '\uFEFF{\r\n}\r\n', 'Info.plist': `\uFEFF${plist().replaceAll('\n', '\r\n')}` };
    await using project = await createProject(files);
    const flags = ['--info-path', 'Info.plist'];
    await project.run(['add', 'a.b', ...flags]);
    for (const text of Object.values(await project.readAll())) expect(text).toMatch(/^\uFEFF(?:[^\n]*\r\n)+$/);
    await project.run(['remove', 'a.b', ...flags]);
    expect(await project.readAll()).toEqual(files);
  });

  it('prints what it did as JSON, and nothing else', async () => {
    await using project = await createProject(FILES);
    const { code, stdout, stderr } = await project.run(['add', 'myapp', '--json', '-i', '--role', 'None']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      scheme: 'myapp',
      dryRun: false,
      changed: true,
      files: [
        {
          kind: 'info-plist',
          file: 'ios/App/Info.plist',
          changed: true,
          diff: expect.stringMatching(
            /^--- a\/ios\/App\/Info\.plist\n\+\+\+ b\/ios[\s\S]*\+\t\t\t\t<string>myapp<\/string>\n/,
          ),
        },
      ],
      warnings: [{ code: 'not-reverse-domain', message: expect.any(String) }],
    });
  });

  it('writes nothing with --dry-run, which succeeds', async () => {
    await using project = await createProject(FILES);
    for (const flags of [[], ['--json']]) {
      const { code, stdout } = await project.run(['add', 'a.b', '--dry-run', ...flags]);
      expect([code, stdout.includes('+  ')]).toEqual([0, true]);
    }
    expect(await project.readAll()).toEqual(FILES);
  });

  it("accepts the app's folder and the paths of its files", async () => {
    await using project = await createProject({ 'apps/one/app.json': '{}', 'apps/one/my.plist': plist() });
    const { code, stdout } = await project.run(['add', 'a.b', 'apps/one', '--info-path', 'my.plist']);
    expect([code, stdout]).toEqual([0, 'Added a.b:\n  my.plist\n  app.json\n']);
    expect((await project.run(['list', 'apps/one'])).stdout).toBe('a.b  app.json:1\n');
  });
});

describe('uri-scheme list', () => {
  it('prints each scheme with its place, or that none exists', async () => {
    await using project = await createProject(FILES);
    expect(await project.run(['list'])).toEqual({ code: 0, stdout: 'There are no schemes.\n', stderr: '' });
    await project.run(['add', 'a.b']);
    expect((await project.run(['list'])).stdout).toBe(
      'a.b  ios/App/Info.plist:12\na.b  android/app/src/main/AndroidManifest.xml:13\na.b  app.json:3\n',
    );
    const { stdout } = await project.run(['list', '-i', '--json']);
    const file = 'ios/App/Info.plist';
    expect(JSON.parse(stdout)).toEqual({
      schemes: [{ scheme: 'a.b', line: 12, kind: 'info-plist', file }],
      warnings: [],
    });
  });
});

describe('a failure', () => {
  it('exits with 1 and says what is wrong, where, and what to do', async () => {
    await using project = await createProject({ ...FILES, 'app.json': '{\n  "name" 1\n}' });
    expect(await project.run(['add', 'a.b'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: app.json:2:10: This is not JSON: ColonExpected.\n  Correct it there, and run this again. Nothing was written.\n',
    });
    const { code, stdout, stderr } = await project.run(['add', 'a.b', '--json']);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'ERR_FILE_MALFORMED',
        message: 'app.json:2:10: This is not JSON: ColonExpected.',
        fix: 'Correct it there, and run this again. Nothing was written.',
        file: 'app.json',
        line: 2,
        column: 10,
      },
    });
  });

  it.each([
    [['add']],
    [['add', 'a.b', '.', 'more']],
    [['add', 'a.b', '--nope']],
    [['add', 'a.b', '--role']],
    [['add', 'a.b', '--role', 'Owner']],
    [['add', 'a.b', '--name', 'a\nb']],
    [['add', 'a.b', '--name', 'a', '-a']],
    [['add', 'a b']],
    [['add', 'https']],
    [['remove', 'a.b', '--name', 'x']],
    [['list', '.', 'a.b']],
    [['open', 'a:b']],
    [['open', 'a:b', '-i', '-a']],
    [['open', 'ab', '-a']],
    [['ad', 'a.b']],
    [['toString']],
    [[]],
  ])('in the arguments exits with 2: %j', async (args) => {
    await using project = await createProject(FILES);
    const { code, stdout, stderr } = await project.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .+\n {2}.+\n$/);
    const json = await project.run([...args, '--json']);
    expect([json.code, json.stderr]).toEqual([2, '']);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: expect.stringMatching(/^ERR_/) } });
    expect(await project.readAll()).toEqual(FILES);
  });
});

describe('help and version', () => {
  it('list the commands, and the options of each', async () => {
    await using project = await createProject({});
    const { code, stdout } = await project.run(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: uri-scheme <command>/)]);
    for (const command of ['add', 'remove', 'list', 'open']) {
      expect(stdout).toContain(`  ${command} `);
      expect((await project.run([command, '-h'])).stdout).toContain(`Usage: uri-scheme ${command} `);
    }
    const add = (await project.run(['add', '--help'])).stdout;
    for (const option of [
      '-i, --ios',
      '-a, --android',
      '--name',
      '--role',
      '--manifest-path',
      '--info-path',
      '--dry-run',
      '--json',
    ])
      expect(add).toContain(option);
  });

  it('print the version of its package.json', async () => {
    await using project = await createProject({});
    const { version } = JSON.parse(await readFile(path.join(import.meta.dirname, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect((await project.run(['--version'])).stdout).toBe(`${version}\n`);
  });
});

describe('a version of Node that is too old', () => {
  it.each(['12.22.12', '20.18.9'])('%s is told which version it needs', async (version) => {
    await using project = await createProject({});
    const preload = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
    expect(await project.run(['list'], { nodeArgs })).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: uri-scheme needs Node 20.19 or later, this is ${version}. Install a newer one from https://nodejs.org.\n`,
    });
  });
});
