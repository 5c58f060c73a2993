import { chmod, chown, lstat, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, manifest, plist } from './fixtures/project.ts';
import type { Project } from './fixtures/project.ts';

const PLIST = 'ios/App/Info.plist';
const FILES = {
  'ios/App.xcodeproj/project.pbxproj': '',
  [PLIST]: plist(),
  'android/app/src/main/AndroidManifest.xml': manifest(),
  'app.json': '{}',
};
const NOBODY = 65_534;

/**
 * The tests may run as root, whom no file mode stops: then the command runs as the user nobody, who gets the project.
 */
async function giveAway(project: Project): Promise<{ uid?: number }> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['.', ...(await readdir(project.root, { recursive: true }))])
    await chown(path.join(project.root, name), NOBODY, NOBODY);
  return { uid: NOBODY };
}

describe('writing', () => {
  it('changes no file when one of the folders is not writable', async () => {
    await using project = await createProject(FILES);
    const user = await giveAway(project);
    const folder = path.join(project.root, 'android/app/src/main');
    const before = await project.readAll();
    await chmod(folder, 0o555);
    const { code, stdout, stderr } = await project.run(['add', 'a.b'], user);
    await chmod(folder, 0o755);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: android\/app\/src\/main\/AndroidManifest\.xml: It could not be written: EACCES.*\n {2}All files are unchanged\./,
    );
    expect(await project.readAll()).toEqual(before);
    expect((await project.run(['add', 'a.b'], user)).code).toBe(0);
  });

  // Only root can change the owner of a file, so that it can be read but not replaced.
  it.skipIf(process.getuid?.() !== 0)(
    'restores replaced files when a later one cannot be replaced (as root)',
    async () => {
      await using project = await createProject(FILES);
      const user = await giveAway(project);
      await chmod(project.root, 0o1777);
      await chown(project.root, 0, 0);
      await chown(path.join(project.root, 'app.json'), 0, 0);
      await chmod(path.join(project.root, 'app.json'), 0o666);
      const before = await project.readAll();
      const { code, stderr } = await project.run(['add', 'a.b'], user);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^error: app\.json: It could not be written: EPERM.* rename /),
      ]);
      expect(await project.readAll()).toEqual(before);
      expect((await project.run(['add', 'a.b', '-i'], user)).code).toBe(0);
    },
  );

  it('names the file that cannot be read', async () => {
    // Found by the name of its target, and because it is the only one.
    await using project = await createProject(FILES);
    await using other = await createProject({ 'ios/Other.xcodeproj/project.pbxproj': '', [PLIST]: plist() });
    for (const each of [project, other]) await assertToldUnreadable(each);
  });

  async function assertToldUnreadable(project: Project): Promise<void> {
    const user = await giveAway(project);
    await chmod(path.join(project.root, PLIST), 0o000);
    const { code, stderr } = await project.run(['list'], user);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: ios\/App\/Info\.plist: It cannot be read: EACCES/),
    ]);
  }

  it('names the folder that cannot be read', async () => {
    for (const folder of ['.', 'ios']) {
      await using project = await createProject(FILES);
      const user = await giveAway(project);
      const closed = path.join(project.root, folder);
      await chmod(closed, 0o311);
      const { code, stdout, stderr } = await project.run(['add', 'a.b'], user);
      await chmod(closed, 0o755);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error: .+: This folder cannot be read: EACCES.*\n {2}Check what it is and who may read it\.\n$/,
      );
      expect(stderr).toContain(`error: ${closed}: `);
      expect(await project.readAll()).toEqual(FILES);
    }
  });

  it('refuses a file that is read-only, and changes none', async () => {
    await using project = await createProject(FILES);
    const user = await giveAway(project);
    await chmod(path.join(project.root, 'app.json'), 0o444);
    const { code, stdout, stderr } = await project.run(['add', 'a.b'], user);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: app\.json: It could not be written: EACCES.*\n {2}All files are unchanged\./);
    expect(await project.readAll()).toEqual(FILES);
    expect((await project.run(['add', 'a.b', '--dry-run'], user)).code).toBe(0);
  });

  it('keeps the mode of a file, and leaves no other file behind', async () => {
    await using project = await createProject(FILES);
    await chmod(path.join(project.root, 'app.json'), 0o666);
    await chmod(path.join(project.root, PLIST), 0o600);
    const before = Object.keys(await project.readAll());
    expect((await project.run(['add', 'a.b'])).code).toBe(0);
    expect((await stat(path.join(project.root, 'app.json'))).mode & 0o777).toBe(0o666);
    expect((await stat(path.join(project.root, PLIST))).mode & 0o777).toBe(0o600);
    expect(Object.keys(await project.readAll())).toEqual(before);
  });

  it('changes the file that a link leads to, and keeps the link', async () => {
    await using project = await createProject({ 'shared/app.json': '{}' });
    await mkdir(path.join(project.root, 'app'));
    await symlink('../shared/app.json', path.join(project.root, 'app/app.json'));
    expect((await project.run(['add', 'a.b', 'app'])).code).toBe(0);
    expect((await lstat(path.join(project.root, 'app/app.json'))).isSymbolicLink()).toBe(true);
    expect(await project.read('shared/app.json')).toBe('{ "scheme": "a.b" }');
  });
});
