import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject } from './fixtures/project.ts';

const ADD = ['add', 'com.example.app'];
const template = 'react-native';

describe("React Native's template", () => {
  const golden = path.join(import.meta.dirname, 'fixtures', `${template}.diff`);

  it('is changed only in the expected lines: the diff stored here', async () => {
    await using project = await createProject({}, template);
    const before = await project.readAll();
    expect(await project.run([...ADD, '--dry-run'])).toEqual({
      code: 0,
      stdout: await readFile(golden, 'utf8'),
      stderr: '',
    });
    expect(await project.readAll()).toEqual(before);
  });

  it('is written as the diff says, and git applies that diff to the same files', async () => {
    await using written = await createProject({}, template);
    await using patched = await createProject({}, template);
    expect((await written.run(ADD)).code).toBe(0);
    execFileSync('git', ['init', '--quiet'], { cwd: patched.root });
    execFileSync('git', ['apply', golden], { cwd: patched.root });
    expect(await written.readAll()).toEqual(await patched.readAll());
  });

  it('is unchanged, byte for byte, once the scheme is removed', async () => {
    await using project = await createProject({}, template);
    const before = await project.readAll();
    const { code, stdout } = await project.run([...ADD, '--name', 'A & B', '--role', 'Viewer']);
    expect([code, stdout.split('\n').length]).toEqual([0, 5]);
    expect(await project.readAll()).not.toEqual(before);
    expect((await project.run(['remove', 'com.example.app'])).code).toBe(0);
    expect(await project.readAll()).toEqual(before);
  });

  it('can have two schemes, and then one again', async () => {
    await using project = await createProject({}, template);
    await project.run(ADD);
    const before = await project.readAll();
    await project.run(['add', 'com.example.second']);
    const { stdout } = await project.run(['list', '--json']);
    const { schemes } = JSON.parse(stdout) as { schemes: { scheme: string; file: string }[] };
    expect(schemes.map(({ scheme, file }) => [path.basename(file), scheme])).toEqual(
      ['Info.plist', 'AndroidManifest.xml', 'app.json'].flatMap((file) => [
        [file, 'com.example.app'],
        [file, 'com.example.second'],
      ]),
    );
    await project.run(['remove', 'com.example.second']);
    expect(await project.readAll()).toEqual(before);
  });
});
