import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';

/** How to run a command. */
export interface RunOptions {
  /** The folder to run it in. */
  cwd: string;
  /** Variables in addition to those of this process. */
  env?: Record<string, string>;
}

/**
 * Runs a command to its end, silently.
 *
 * @returns its standard output.
 * @throws Error with all its output, when it could not be started or did not end with code 0.
 */
export async function runCommand(command: readonly [string, ...string[]], { cwd, env }: RunOptions): Promise<string> {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  if (code === 0) return output;
  throw new Error(`${command.join(' ')} ended with code ${code} in ${cwd}. It printed:\n${output}${errors}`);
}

/** The command that runs npm: the npm that runs us, if any, with this version of Node. */
export function npmCommand(): [string, ...string[]] {
  const script = process.env['npm_execpath'];
  if (script && path.basename(script) === 'npm-cli.js') return [process.execPath, script];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}
