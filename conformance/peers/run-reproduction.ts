import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Peer } from './peers.ts';

/** Whether a script of reproductions/ shows its failure on a peer, and the script's output. */
export function runReproduction(
  script: string,
  { name, program = 'node' }: Peer,
  folder: string,
): Promise<{ shows: boolean; output: string }> {
  const bin = path.join(folder, 'node_modules/.bin');
  const env = { ...process.env, NODE_ENV: 'production', PATH: [bin, process.env['PATH']].join(path.delimiter) };
  const [file = 'node', ...flags] = program.split(' ');
  const args = [...flags, path.join(folder, 'servers/reproduce.mjs'), script, name];
  return new Promise((resolve) => {
    execFile(file, args, { env, cwd: folder, timeout: 20_000 }, (error, stdout, stderr) =>
      resolve({ shows: error?.code === 1 && stdout.includes('\nreceived'), output: stdout + stderr }),
    );
  });
}
