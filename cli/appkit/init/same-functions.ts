import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command-error.ts';
import type { TemplateFile } from './plan-files.ts';
import type { Template } from './template.ts';

/**
 * Makes sure that no file of a template would be a second file for the same function, on a host that names functions
 * without the extension: `api/index.mjs` next to `api/index.js`.
 *
 * @throws CommandError that names the files of the app, also with `--force`, which does not remove files.
 */
export function assertNoSameFunctions(
  root: string,
  { files, template: { title, functions, guide } }: { files: readonly TemplateFile[]; template: Template },
): void {
  if (functions === undefined || !existsSync(path.join(root, functions))) return;
  const wanted = new Map(files.map((file) => [toFunction(file.path), file.path]));
  const pairs = readdirSync(path.join(root, functions))
    .map((name) => `${functions}/${name}`)
    .filter((file) => FUNCTION.test(file))
    .flatMap((file) => {
      const other = wanted.get(toFunction(file));
      return other === undefined || other === file ? [] : [{ file, other }];
    });
  if (pairs.length === 0) return;
  const found = pairs.map(({ file }) => file).join(', ');
  const others = pairs.map(({ other }) => other).join(', ');
  throw new CommandError(
    `${found}: ${title} names functions without the extension, and the template has ${others}. Nothing was written.`,
    `Files that host this app go on working: keep them, and appkit export says what the app's jobs need. Otherwise remove them first. See ${guide} in the repository of appkit.`,
  );
}

/** Which files a host makes functions of: those of Vercel's runtimes. */
const FUNCTION = /\.(?:[cm]?[jt]sx?|go|py|rb|rs)$/;

function toFunction(file: string): string {
  return file.slice(0, file.length - path.extname(file).length);
}
