import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** The output of `npm run new` when it is called in that folder. */
function runNew(folder: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, INIT_CWD: folder };
  return spawnSync(process.execPath, [path.join(import.meta.dirname, 'new.ts'), ...args], { encoding: 'utf8', env });
}

// The app that it creates is tested by check-new-app.ts.
describe('npm run new', () => {
  it('writes nothing into a folder with files', () => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'appkit-new-'));
    writeFileSync(path.join(folder.path, 'notes.txt'), 'mine');
    const { status, stdout, stderr } = runNew(path.dirname(folder.path), path.basename(folder.path));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${path.basename(folder.path)} is not empty. Nothing was written. Name a folder`);
    expect(readdirSync(folder.path)).toEqual(['notes.txt']);
  });

  it.each([[[]], [['one', 'two']]])('asks for one folder: %j', (args) => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'appkit-new-'));
    const { status, stderr } = runNew(folder.path, ...args);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Name one folder for the new app, such as: npm run new -- \.\.\/my-app\n/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('refuses an unknown option, and lists the known ones', () => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'appkit-new-'));
    const { status, stderr } = runNew(folder.path, 'app', '--maximal');
    expect([status, stderr]).toEqual([1, expect.stringContaining("Unknown option '--maximal'")]);
    expect(runNew(folder.path, '--help').stdout).toContain('--minimal');
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
