import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The repository's own tools come first, so that `npm run` and a bare `node conformance/run.ts` find the same ones. */
const path = [join(import.meta.dirname, '../node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);

/** What a server is given of the environment the suite runs in: enough to run, and nothing a behaviour could trip over. */
export const serverEnvironment: Record<string, string> = { ...keep('HOME', 'TMPDIR'), PATH: path };

/**
 * Runs a command to its end and gives what it printed.
 *
 * @param env – its whole environment. Default: that of the suite.
 * @throws Error with everything the command printed, when it fails.
 */
export function runCommand(
  command: readonly [string, ...string[]],
  folder: string,
  env: Record<string, string | undefined> = { ...process.env, PATH: path },
): Promise<string> {
  const [file, ...args] = command;
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout + stderr);
      const printed = `${stdout}${stderr}`.trim() || error.message;
      reject(new Error(`${command.join(' ')} failed in ${folder}:\n${printed}`, { cause: error }));
    });
  });
}

function keep(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
