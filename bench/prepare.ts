import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FILE } from './http/scenarios.ts';
import { installLocked } from '../conformance/install-locked.ts';
import { npmCommand, runCommand } from '../tools/run-command.ts';

const folder = import.meta.dirname;

/** Installs the peers from bench's own lock file, unless they are installed. */
export async function installPeers(): Promise<void> {
  const installed = path.join(folder, 'node_modules/.package-lock.json');
  const wanted = await stat(path.join(folder, 'package-lock.json'));
  if (existsSync(installed) && (await stat(installed)).mtimeMs >= wanted.mtimeMs) return;
  console.error('Installing the peers into bench/node_modules');
  await runCommand([...npmCommand(), 'ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}

/** Exports the measured app as its author would, and returns the folder of the server build. */
export async function exportBenchApp(): Promise<string> {
  const files = path.join(folder, 'app/public');
  await mkdir(files, { recursive: true });
  await writeFile(path.join(files, FILE), 'a'.repeat(1024 * 1024));
  await runCommand(['appkit', 'export', '-p', 'web', path.join(folder, 'app')], { cwd: folder });
  return path.join(folder, 'app/dist/server');
}

/** The `deno` that conformance runs. */
export async function findDeno(): Promise<string> {
  const cache = path.join(folder, '../.cache/tools/deno/tools');
  const tools = await installLocked(path.join(folder, '../adapters/deno/tools'), cache);
  return path.join(tools, 'node_modules/.bin/deno');
}
