import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addScheme, listSchemes, removeScheme } from './index.ts';
import { createProject, manifest, plist } from './fixtures/project.ts';

const XCODE = { 'ios/App.xcodeproj/project.pbxproj': '' };
const IOS = { ...XCODE, 'ios/App/Info.plist': plist() };
const ANDROID = { 'android/app/src/main/AndroidManifest.xml': manifest() };

const filesOf = async (root: string): Promise<string[]> =>
  (await addScheme('a.b', { projectRoot: root })).files.map(({ file }) => file);

describe('the files of a project', () => {
  it('belong to the app, not to its extensions, tests and dependencies', async () => {
    const extension = plist('\n\t<key>NSExtension</key>\n\t<dict/>');
    const tests = plist().replace('APPL', 'BNDL');
    await using project = await createProject({
      ...XCODE,
      ...ANDROID,
      'ios/AAA/Info.plist': extension,
      'ios/AppTests/Info.plist': tests,
      'ios/Main/Info.plist': plist(),
      'ios/Pods/Info.plist': plist(),
    });
    expect(await filesOf(project.root)).toEqual(['ios/Main/Info.plist', 'android/app/src/main/AndroidManifest.xml']);
  });

  it('belong to the target that has the name of the Xcode project', async () => {
    await using project = await createProject({ ...IOS, 'ios/Other/Info.plist': plist() });
    expect(await filesOf(project.root)).toEqual(['ios/App/Info.plist']);
  });

  it('must be named when several could be meant', async () => {
    await using project = await createProject({ ...XCODE, 'ios/A/Info.plist': plist(), 'ios/B/Info.plist': plist() });
    const options = { projectRoot: project.root };
    await expect(addScheme('a.b', options)).rejects.toMatchObject({
      code: 'ERR_FILE_AMBIGUOUS',
      message: expect.stringContaining('ios/A/Info.plist, ios/B/Info.plist'),
    });
    const { files } = await addScheme('a.b', { ...options, infoPath: 'ios/B/Info.plist' });
    expect(files.map(({ file }) => file)).toEqual(['ios/B/Info.plist']);
  });

  it('are found in a native project without a parent folder', async () => {
    await using ios = await createProject({ 'App.xcodeproj/project.pbxproj': '', 'App/Info.plist': plist() });
    expect(await filesOf(ios.root)).toEqual(['App/Info.plist']);
    await using android = await createProject({ 'app/src/main/AndroidManifest.xml': manifest() });
    expect(await filesOf(android.root)).toEqual(['app/src/main/AndroidManifest.xml']);
  });

  it('are those of the requested platform, without the app config', async () => {
    await using project = await createProject({ ...IOS, ...ANDROID, 'app.json': '{}' });
    const { files } = await addScheme('a.b', { projectRoot: project.root, platforms: ['ios'] });
    expect(files.map(({ kind }) => kind)).toEqual(['info-plist']);
    expect((await listSchemes({ projectRoot: project.root })).schemes.map(({ kind }) => kind)).toEqual(['info-plist']);
  });

  it('must exist for a requested platform', async () => {
    await using project = await createProject({ ...IOS, 'app.json': '{}' });
    for (const call of [addScheme, removeScheme]) {
      await expect(call('a.b', { projectRoot: project.root, platforms: ['android'] })).rejects.toMatchObject({
        code: 'ERR_PROJECT_NOT_FOUND',
        fix: expect.stringContaining('--manifest-path'),
      });
    }
    const both = { projectRoot: project.root, platforms: ['ios', 'android'] as const };
    await expect(addScheme('a.b', both)).rejects.toMatchObject({ code: 'ERR_PROJECT_NOT_FOUND' });
    expect(await project.read('ios/App/Info.plist')).toBe(plist());
  });

  it('cannot be named for the other platform only, and must exist', async () => {
    await using project = await createProject({ ...IOS });
    const options = { projectRoot: project.root };
    await expect(addScheme('a.b', { ...options, platforms: ['ios'], manifestPath: 'x' })).rejects.toMatchObject({
      code: 'ERR_OPTION_INVALID',
    });
    await expect(addScheme('a.b', { ...options, manifestPath: 'x.xml' })).rejects.toMatchObject({
      code: 'ERR_FILE_NOT_FOUND',
      file: 'x.xml',
    });
    expect(await project.read('ios/App/Info.plist')).toBe(plist());
  });

  it('are reported missing in an existing native folder', async () => {
    await using project = await createProject({ ...IOS, 'android/build.gradle': '' });
    const { warnings } = await addScheme('a.b', { projectRoot: project.root });
    expect(warnings.map(({ code }) => code)).toEqual(['native-file-not-found']);
  });

  it('may be only the app config, with a warning', async () => {
    await using project = await createProject({ 'app.json': '{ "expo": {} }' });
    const { files, warnings } = await addScheme('a.b', { projectRoot: project.root });
    expect(files.map(({ kind }) => kind)).toEqual(['app-config']);
    expect(warnings.map(({ code }) => code)).toEqual(['no-native-projects']);
    expect(await project.read('app.json')).toBe('{ "expo": { "scheme": "a.b" } }');
  });

  it('are not found in an empty or a missing folder', async () => {
    await using project = await createProject({});
    for (const projectRoot of [project.root, path.join(project.root, 'nowhere')])
      await expect(addScheme('a.b', { projectRoot })).rejects.toMatchObject({ code: 'ERR_PROJECT_NOT_FOUND' });
  });
});

describe('a config that is code', () => {
  it('is not changed: the output says what to write there, as an error if no other file exists', async () => {
    await using project = await createProject({ 'app.config.ts': 'export default {};' });
    const options = { projectRoot: project.root };
    await expect(addScheme('a.b', options)).rejects.toMatchObject({
      code: 'ERR_CONFIG_DYNAMIC',
      file: 'app.config.ts',
      fix: expect.stringContaining("scheme: 'a.b'"),
    });
    await expect(listSchemes(options)).rejects.toMatchObject({ code: 'ERR_CONFIG_DYNAMIC' });
    await expect(removeScheme('a.b', options)).rejects.toMatchObject({ code: 'ERR_CONFIG_DYNAMIC' });
  });

  it('may exist next to files that are changed', async () => {
    await using project = await createProject({ ...IOS, 'app.config.js': 'export default {};' });
    const { changed, warnings } = await addScheme('a.b', { projectRoot: project.root });
    expect(changed).toBe(true);
    expect(warnings).toEqual([{ code: 'config-dynamic', message: expect.stringContaining("scheme: 'a.b'") }]);
    expect(await project.read('app.config.js')).toBe('export default {};');
  });
});

describe('a file that cannot be edited', () => {
  it.each([
    [
      'a binary property list',
      Buffer.from('bplist00\u00D1'),
      /binary/,
      /plutil -convert xml1 '.*ios\/App\/Info\.plist'/,
    ],
    ['a file that is not UTF-8', Buffer.from([0x3c, 0x61, 0xff]), /not UTF-8/, /UTF-8/],
  ])('is not changed, nor are the others: %s', async (_name, bytes, message, fix) => {
    await using project = await createProject({ ...IOS, ...ANDROID });
    await writeFile(path.join(project.root, 'ios/App/Info.plist'), bytes);
    await expect(addScheme('a.b', { projectRoot: project.root, infoPath: 'ios/App/Info.plist' })).rejects.toMatchObject(
      {
        code: 'ERR_FILE_UNSUPPORTED',
        message: expect.stringMatching(message),
        fix: expect.stringMatching(fix),
      },
    );
    expect(await project.read('android/app/src/main/AndroidManifest.xml')).toBe(manifest());
  });

  it('is named from the current folder, as a shell reads it, in the command that converts it', async () => {
    await using project = await createProject({
      "it's mine/ios/My App.xcodeproj/project.pbxproj": '',
      "it's mine/ios/My App/Info.plist": 'bplist00',
    });
    const { stderr } = await project.run(['add', 'a.b', "it's mine"]);
    expect(stderr).toContain(String.raw`plutil -convert xml1 'it'\''s mine/ios/My App/Info.plist'`);
  });

  it('prevents changes of all files: the last of three is not JSON', async () => {
    await using project = await createProject({ ...IOS, ...ANDROID, 'app.json': '{,}' });
    const before = await project.readAll();
    await expect(addScheme('a.b', { projectRoot: project.root })).rejects.toMatchObject({ code: 'ERR_FILE_MALFORMED' });
    expect(await project.readAll()).toEqual(before);
  });
});
