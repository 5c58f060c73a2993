import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CommandError } from './command-error.ts';

/**
 * Reads environment variables from the file of `--env-file`. Variables that are already set win.
 *
 * @throws CommandError when it cannot be read.
 */
export function loadEnvFile(file: string): void {
  for (const [name, value] of Object.entries(parseEnv(withoutMark(readEnvFile(file))))) process.env[name] ??= value;
}

/** Without the byte order mark that some editors on Windows write: it would be part of the first variable's name. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

// Not `process.loadEnvFile`: its errors do not say what the path is if it is not a file.
function readEnvFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(...explain(file, String((error as NodeJS.ErrnoException).code)), { cause: error });
  }
}

function explain(file: string, code: string): [message: string, fix: string] {
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const fix = `Correct the path. It is relative to ${process.cwd()}.`;
    return [`${file}: there is no such file for --env-file.`, fix];
  }
  if (code === 'EISDIR') {
    const fix = `Add the name of the file, such as ${file}/.env.`;
    return [`${file}: this is a folder, and --env-file needs a file.`, fix];
  }
  return [
    `${file}: the system does not allow reading this --env-file: ${code}.`,
    'Make it a file that this user may read.',
  ];
}
