import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { npmCommand } from './run-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');

/** npm's output for an installation with a package that requires a later Node. */
function install({ npmrc }: { npmrc: boolean }): { status: number | null; stderr: string } {
  const project = mkdtempSync(path.join(tmpdir(), 'appkit-quiet-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  mkdirSync(path.join(project, 'later'));
  const later = { name: 'later', version: '1.0.0', engines: { node: '>=999' } };
  writeFileSync(path.join(project, 'later/package.json'), JSON.stringify(later));
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ dependencies: { later: 'file:later' } }));
  if (npmrc) copyFileSync(path.join(REPOSITORY, '.npmrc'), path.join(project, '.npmrc'));
  const [npm, ...args] = npmCommand();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stderr } = spawnSync(npm, [...args, 'install', '--offline'], { cwd: project, env, encoding: 'utf8' });
  return { status, stderr };
}

it('npm ci in a clone does not warn about a package that requires a later Node than the one npm runs on', () => {
  expect(install({ npmrc: false }).stderr).toContain('EBADENGINE');
  const { status, stderr } = install({ npmrc: true });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
