import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PACKAGES } from './pack.ts';
import { assertPublishable } from './publishable.ts';
import { runCommand } from './run-command.ts';
import { readVersions, withVersions } from './versions.ts';

const root = path.join(import.meta.dirname, '..');
const CHANGESET = path.join(root, 'node_modules/@changesets/cli/bin.js');

/** A repository with the manifests of this one, and one change. */
async function createRepository(change: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'appkit-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  for (const name of ['.', ...workspaces]) {
    mkdirSync(path.join(folder, name), { recursive: true });
    cpSync(path.join(root, name, 'package.json'), path.join(folder, name, 'package.json'));
  }
  cpSync(path.join(root, 'package-lock.json'), path.join(folder, 'package-lock.json'));
  mkdirSync(path.join(folder, '.changeset'));
  cpSync(path.join(root, '.changeset/config.json'), path.join(folder, '.changeset/config.json'));
  writeFileSync(path.join(folder, '.changeset/one.md'), change);
  await runCommand(['git', 'init', '--quiet', '--initial-branch', 'main'], { cwd: folder });
  await runCommand(['git', 'add', '.'], { cwd: folder });
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@code.example'];
  await runCommand(['git', ...author, 'commit', '--quiet', '-m', 'test: one change'], { cwd: folder });
  return folder;
}

function raise(version: string, kind: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return kind === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

describe('a release', () => {
  // A minor change must not cause a major version of packages that have the package as a peer.
  it.each(['patch', 'minor'])('gives all packages one version when one has a %s change', async (kind) => {
    const [version = '', ...others] = new Set(Object.values(readVersions(root)));
    expect(others).toEqual([]);
    const folder = await createRepository(`---\n'appkit-crypto': ${kind}\n---\n\nOne change.\n`);
    await runCommand([process.execPath, CHANGESET, 'version'], { cwd: folder });
    const versions = readVersions(folder);
    expect(Object.keys(versions)).toHaveLength(PACKAGES.length);
    expect(new Set(Object.values(versions))).toEqual(new Set([raise(version, kind)]));
    expect(readFileSync(path.join(folder, 'auth/crypto/CHANGELOG.md'), 'utf8')).toContain('One change.');
    expect(readFileSync(path.join(folder, 'conformance/package.json'), 'utf8')).toContain('"version": "0.0.0"');
  });

  it('is the version that every example depends on', () => {
    const versions = readVersions(root);
    for (const file of globSync('examples/*/package.json', { cwd: root })) {
      const text = readFileSync(path.join(root, file), 'utf8');
      expect(withVersions(text, versions), file).toBe(text);
    }
  });

  it('raises the version that an example depends on, and nothing else', () => {
    const text =
      '{\n  "name": "appkit-example",\n  "dependencies": {\n    "appkit-server": "0.1.0",\n    "react": "0.1.0"\n  }\n}\n';
    expect(withVersions(text, { 'appkit-server': '0.2.0' })).toBe(
      text.replace('"appkit-server": "0.1.0"', '"appkit-server": "0.2.0"'),
    );
  });

  it('is refused while the repository has no public URL', () => {
    expect(() => assertPublishable('https://code.example/owner/appkit')).toThrow(/placeholder.*write-source\.ts/s);
    expect(() => assertPublishable('https://github.com/owner/appkit')).not.toThrow();
  });
});
