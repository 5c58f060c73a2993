/**
 * Checks the packed tarballs as a consumer's tools will: publint for the manifest, attw for the types. Also, all
 * manifests must name the same repository.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packPackages } from './pack.ts';
import { findDisagreements } from './repository.ts';
import { runCommand } from './run-command.ts';

const repository = path.resolve(import.meta.dirname, '..');
const disagreements = findDisagreements();
if (disagreements.length > 0)
  throw new Error(`${disagreements.join('\n')}\nRun node tools/write-source.ts, which does all of it.`);

const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-shape-'));
try {
  const tarballs = await packPackages(scratch);
  for (const [name, tarball] of Object.entries(tarballs)) {
    await runCommand(['publint', 'run', '--strict', tarball], { cwd: repository });
    // attw itself does not expand the wildcard of ./adapter/*. A CLI has no entry to check.
    if (name === 'appkit-cli' || name === 'create-appkit') continue;
    const further = await furtherEntries(name);
    const entries = name === 'appkit-conformance' ? further : ['.', ...further];
    await runCommand(['attw', tarball, '--profile', 'esm-only', '--entrypoints', ...entries], { cwd: repository });
  }
  console.log(`${Object.keys(tarballs).join(', ')}: publint and attw find nothing.`);
} finally {
  await rm(scratch, { recursive: true });
}

async function furtherEntries(name: string): Promise<string[]> {
  if (name === 'appkit-auth-session') return ['./core'];
  if (name === 'appkit-conformance') return ['./fixture'];
  if (name === 'appkit-uri-scheme') return ['./command'];
  if (name === 'appkit-crypto') return ['./adapters/expo'];
  if (name === 'appkit-web-browser') return ['./adapters/expo', './adapters/inappbrowser'];
  if (name === 'appkit-build') return ['./development', './finish-swaps', './metro', './problem'];
  if (name === 'appkit-router') return ['./app-origin', './client', './fetch', './html', './install-fetch', './server'];
  if (name !== 'appkit-server') return [];
  const folders = await readdir(path.join(repository, 'adapters'));
  return [
    './contract',
    './cookies',
    './deploy',
    './event-stream',
    './limit-body',
    './manifest',
    './match',
    './opentelemetry',
    './server-only',
    './session',
    './shutdown',
    './static',
    './test',
    ...folders.filter((folder) => !folder.startsWith('_')).map((folder) => `./adapter/${folder}`),
  ];
}
