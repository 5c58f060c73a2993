import { readFileSync } from 'node:fs';
import { helpText, parseArguments } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { addScheme, removeScheme } from './change-scheme.ts';
import type { SchemeChange } from './change-scheme.ts';
import type { ProjectOptions } from './find-project.ts';
import { listSchemes } from './list-schemes.ts';
import type { SchemeList } from './list-schemes.ts';
import { openUri } from './open-uri.ts';
import type { OpenedUri } from './open-uri.ts';
import type { UrlTypeRole } from './scheme-file.ts';
import { UriSchemeError } from './uri-scheme-error.ts';
import type { SchemeWarning } from './warning.ts';

const FAILURE = 1;
const WRONG_USAGE = 2;
const WRONG_USAGE_CODES = ['ERR_USAGE', 'ERR_SCHEME_INVALID', 'ERR_URI_INVALID', 'ERR_OPTION_INVALID'];

/**
 * Runs `uri-scheme add`, `remove`, `list` or `open`. It never prompts, so it works the same with and without a
 * terminal.
 *
 * @param args – the command and its arguments.
 * @param options – `program` is its name in help and errors.
 * @returns the exit code: 0 for success, 1 when the work failed, 2 when the arguments were wrong. Never rejects.
 */
export async function runCommand(
  args: readonly string[],
  { program = 'uri-scheme' }: { program?: string } = {},
): Promise<number> {
  const isJson = args.includes('--json');
  try {
    if (args.includes('--version') || args.includes('-V')) console.log(ownVersion());
    else if (args.includes('--help') || args.includes('-h')) console.log(helpText(program, args[0]));
    else await run(parseArguments(args, program), isJson);
    return 0;
  } catch (error) {
    if (isJson) console.log(toJson({ error: describe(error) }));
    else printError(error);
    return error instanceof UriSchemeError && WRONG_USAGE_CODES.includes(error.code) ? WRONG_USAGE : FAILURE;
  }
}

async function run(given: Arguments, isJson: boolean): Promise<void> {
  const { command, positionals, platforms, flags } = given;
  const text = (name: string): string | undefined => flags[name] as string | undefined; // options that take a value
  const [first = '', directory] = positionals;
  const [platform = 'ios'] = platforms;
  if (command === 'open') {
    const result = await openUri(first, {
      platform,
      ...defined({ device: text('device'), package: text('package') }),
    });
    return isJson ? console.log(toJson(result)) : printOpened(result);
  }
  const projectRoot = command === 'list' ? positionals[0] : directory;
  const project: ProjectOptions = {
    platforms,
    ...defined({ projectRoot, infoPath: text('info-path'), manifestPath: text('manifest-path') }),
  };
  if (command === 'list') {
    const result = await listSchemes(project);
    return isJson ? console.log(toJson(result)) : printList(result);
  }
  const dryRun = flags['dry-run'] === true;
  const role = text('role') as UrlTypeRole | undefined; // addScheme checks it
  const result =
    command === 'add'
      ? await addScheme(first, { ...project, dryRun, ...defined({ name: text('name'), role }) })
      : await removeScheme(first, { ...project, dryRun });
  return isJson ? console.log(toJson(result)) : printChange(command, result);
}

function printChange(command: 'add' | 'remove', { scheme, dryRun, changed, files, warnings }: SchemeChange): void {
  printWarnings(warnings);
  const there = command === 'add' ? 'already exists' : 'does not exist';
  if (!changed) console.log(`${scheme} ${there} in ${files.map(({ file }) => file).join(', ')}. Nothing to change.`);
  else if (dryRun) process.stdout.write(files.map(({ diff }) => diff).join(''));
  else {
    console.log(`${command === 'add' ? 'Added' : 'Removed'} ${scheme}:`);
    for (const { file, changed } of files) console.log(`  ${file}${changed ? '' : ` (${there})`}`);
  }
}

function printList({ schemes, warnings }: SchemeList): void {
  printWarnings(warnings);
  if (schemes.length === 0) console.log('There are no schemes.');
  for (const { scheme, file, line } of schemes) console.log(`${scheme}  ${file}:${line}`);
}

function printOpened({ uri, command }: OpenedUri): void {
  console.log(`Opened ${uri} with ${command[0]}.`);
}

function printWarnings(warnings: readonly SchemeWarning[]): void {
  for (const { message } of warnings) console.error(`warning: ${message}`);
}

function printError(error: unknown): void {
  const { message, fix } = describe(error);
  console.error(`error: ${message}\n  ${fix}`);
}

function describe(error: unknown): {
  code: string;
  message: string;
  fix: string;
  file?: string;
  line?: number;
  column?: number;
} {
  if (!(error instanceof UriSchemeError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: 'ERR_UNEXPECTED', message, fix: 'This was not expected: it is a bug in uri-scheme.' };
  }
  const { code, message, fix, file, line, column } = error;
  return { code, message, fix, ...defined({ file, line, column }) };
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** Removes undefined values. */
function defined<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }; // as filtered
}

function ownVersion(): string {
  // One level up from lib/, where this file is compiled to.
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return String((manifest as { version: unknown }).version); // our own file, shipped with this one
}
