import path from 'node:path';
import { text } from 'node:stream/consumers';
import { endGroup, spawnGroup } from './generic/process-group.ts';

/** The repository's own tools come first, so that `npm run` and a bare `node conformance/run.ts` find the same ones. */
const programs = [path.join(import.meta.dirname, '../node_modules/.bin'), process.env.PATH ?? ''].join(path.delimiter);

/**
 * The part of the suite's environment that a server gets: enough to run, and nothing that a behaviour could trip over.
 */
export const serverEnvironment: Record<string, string> = { ...keep('HOME', 'TMPDIR'), PATH: programs };

/** What a command has printed. */
export interface Printed {
  stdout: string;
  stderr: string;
}

/**
 * Runs a command to its end and returns its output.
 *
 * @param env – its complete environment. Default: the suite's.
 * @throws Error with the command's complete output, when it fails.
 */
export async function runCommand(
  command: readonly [string, ...string[]],
  folder: string,
  env: Record<string, string | undefined> = { ...process.env, PATH: programs },
): Promise<Printed> {
  // In its own process group, so that nothing of it is left when this process is killed.
  const child = spawnGroup(command, { folder, env });
  const exited = new Promise<unknown>((resolve) => child.once('error', resolve).once('close', resolve));
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  await endGroup(child);
  if (end === 0) return { stdout, stderr };
  const printed = `${stdout}${stderr}`.trim() || (end instanceof Error ? end.message : `It ended with ${String(end)}.`);
  throw new Error(`${command.join(' ')} failed in ${folder}:\n${printed}`, { cause: end });
}

function keep(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
