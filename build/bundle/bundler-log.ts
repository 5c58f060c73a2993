import { existsSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { BundleError, RolldownLog } from 'rolldown';

import { findPackageOf, isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { findWrittenName } from '../app/written-name.ts';

/** Where a bundler message comes from: the project, and the file that was being bundled. */
export interface LogContext {
  projectRoot: string;
  entry: string;
}

/** Turns an error or warning of the bundler into a problem in our words. */
export function toProblem(log: RolldownLog, context: LogContext): Problem {
  const manifest = findBrokenManifest(log, context);
  if (manifest) return manifest;
  const place = findPlace(log, context);
  return { ...place, ...explain(log, path.resolve(context.projectRoot, place.file), context) };
}

/** The errors that the bundler has thrown, one per problem. Empty for any other error. */
export function listErrors(error: unknown): readonly RolldownLog[] {
  const logs = error instanceof Error && 'errors' in error ? ((error as BundleError).errors ?? []) : [];
  return logs.map((log) =>
    PARSER.test(stripVTControlCharacters(log.message)) ? { ...log, code: 'PARSE_ERROR' } : log,
  );
}

/**
 * The error for a failure of the bundler itself, such as a full disk, which is no problem of the app. Undefined if there is
 * none among these, or if it does not say why.
 */
export function toBundlerFailure(logs: readonly RolldownLog[]): Error | undefined {
  const log = logs.find(({ code }) => code === 'UNHANDLEABLE_ERROR');
  // The first line only says where to report it, and a stack without names follows.
  const [, what, reason] = /\n(.+)\n\s*Caused by:\s*(.+)/.exec(stripVTControlCharacters(log?.message ?? '')) ?? [];
  if (what === undefined || reason === undefined) return undefined;
  const fix = /too long/i.test(reason)
    ? 'Shorten the name of the source file.'
    : 'Check the space on that disk, and what this user may do there. If neither is the reason, report it to rolldown.';
  return Object.assign(new Error(`The bundler has failed. ${what}: ${reason}.`), { fix });
}

/** Vite parses modules with a built-in plugin, which reports errors as any plugin does. */
const PARSER = /^\[builtin:vite-transform\] /;

/** The first line of a bundler message, without colours and code. The rest draws the source. */
function toFirstLine(log: RolldownLog): string {
  const [line = ''] = stripVTControlCharacters(log.message).split('\n');
  return line.replace(/^\[(?:[A-Z_]+|builtin:[\w-]+)\] /, '').replace(/\.?$/, '.');
}

function findPlace(log: RolldownLog, { projectRoot, entry }: LogContext): Pick<Problem, 'file' | 'line' | 'column'> {
  // It has no position and is the same for every route below that tsconfig: the message names the file it could not
  // read.
  if (log.code === 'TSCONFIG_ERROR') return { file: 'tsconfig.json' };
  // A few errors have a `loc` without a file, or with text in it; the drawing in the message still has the position.
  const drawn = /─\[ (.+):(\d+):(\d+) \]/.exec(stripVTControlCharacters(log.message));
  if (drawn?.[1] !== undefined && existsSync(path.resolve(projectRoot, drawn[1]))) {
    return { file: toProjectPath(projectRoot, drawn[1]), line: Number(drawn[2]), column: Number(drawn[3]) };
  }
  const file = log.loc?.file ?? log.id;
  if (file === undefined || !existsSync(path.resolve(projectRoot, file))) return { file: entry };
  const position = log.loc ? { line: log.loc.line, column: log.loc.column + 1 } : {};
  return { file: toProjectPath(projectRoot, file), ...position };
}

/** The `package.json` that the bundler could not parse: with the place for that of a route, without for an imported one. */
function findBrokenManifest(log: RolldownLog, { projectRoot }: LogContext): Problem | undefined {
  const message = stripVTControlCharacters(log.message);
  const [, own, reason = '', line, column] =
    /^JSONError \{ path: "(.+)", message: "(.+) at line \d+ column \d+", line: (\d+), column: (\d+) \}$/m.exec(
      message,
    ) ?? [];
  const named = own?.replaceAll('\\\\', '\\') ?? /JSON parse error in '(.+)'$/m.exec(message)?.[1];
  if (named === undefined) return undefined;
  const file = path.resolve(projectRoot, named);
  return {
    file: toProjectPath(projectRoot, file),
    ...(own !== undefined && { line: Number(line), column: Number(column) }),
    message: own === undefined ? 'This is not JSON.' : `This is not JSON: ${reason}.`,
    fix: isInstalled(file) ? 'Install the package again.' : 'Correct the syntax.',
  };
}

const IMPORT_WASM = 'Import it with ?inline, which gives its bytes as a data: URL, and instantiate these.';

function explain(log: RolldownLog, file: string, { projectRoot }: LogContext): Pick<Problem, 'message' | 'fix'> {
  switch (log.code) {
    case 'UNRESOLVED_IMPORT':
      return {
        message: `Nothing was found for '${log.exporter}'.`,
        fix: explainUnresolved(log.exporter ?? '', { file, projectRoot }),
      };
    case 'PARSE_ERROR':
    case 'JSON_PARSE':
      if (file.endsWith('.wasm')) {
        return { message: 'It is WebAssembly, which the bundler cannot import.', fix: IMPORT_WASM };
      }
      return { message: `The file cannot be parsed: ${toFirstLine(log)}`, fix: 'Correct the syntax.' };
    case 'INVALID_TLA_FORMAT':
      return {
        message: 'Server code is exported as CommonJS, which does not support top-level await.',
        fix: isInstalled(file)
          ? `Add ${findPackageOf(file)?.name} to external of appkit-router. If it has no CommonJS, also import it by await import() in the handler.`
          : 'Move the await into a function, and call that in the handler or the loader.',
      };
    case 'MISSING_EXPORT':
      return { message: toFirstLine(log), fix: 'Correct the name. To pass a type on, write export type.' };
    case 'EMPTY_IMPORT_META':
      return {
        message: 'In an exported route import.meta has url, dirname and filename only.',
        fix: 'Read variables from process.env.',
      };
    case 'TSCONFIG_ERROR':
      return { message: toFirstLine(log), fix: 'Correct the tsconfig file.' };
    case 'UNSUPPORTED_FEATURE':
    case 'UNLOADABLE_DEPENDENCY': {
      const what = toFirstLine(log).replace(/(?: - .*)?\.$/, '');
      if (log.message.includes('valid UTF-8')) {
        return { message: `${what}: it is not UTF-8.`, fix: 'Save that file as UTF-8.' };
      }
      // Only Vite knows this query, and for the bundler it is part of the name.
      if (what.endsWith('.wasm?init')) {
        return { message: `${what}: it is WebAssembly, which the bundler cannot import.`, fix: IMPORT_WASM };
      }
      if (/\(os error \d+\)/.test(log.message)) {
        return { message: toFirstLine(log), fix: 'Check that the file exists, and that this user may read it.' };
      }
      return {
        message: `It imports a file that is not JavaScript, TypeScript, JSON or text: ${toFirstLine(log)}`,
        fix: 'Put such files into public/, or read them from there at run time.',
      };
    }
    default:
      return { message: toFirstLine(log), fix: 'Correct it there.' };
  }
}

/** What an import may leave out. */
const ENDINGS = [
  '',
  ...['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.json'].flatMap((ending) => [ending, `/index${ending}`]),
];

function explainUnresolved(specifier: string, { file, projectRoot }: { file: string; projectRoot: string }): string {
  const owner = isInstalled(file) ? findPackageOf(file) : undefined;
  if (/^\.{0,2}\//.test(specifier)) {
    if (owner) return `Install ${owner.name} again: a file of it is missing.`;
    const target = path.resolve(path.dirname(file), specifier);
    // As it is after work on a disk that ignores letter case.
    const written = ENDINGS.map((ending) => findWrittenName(projectRoot, target + ending)).find(Boolean);
    return written === undefined ? 'Correct the path.' : `Correct the path: the file is called ${written}.`;
  }
  if (/^bun(?::|$)/.test(specifier)) {
    return `It is a module of the host: add ${specifier} to external of appkit-router.`;
  }
  // wrangler's bundler turns the require of such a module into an error at run time.
  if (specifier === 'cloudflare:workers') return 'Use bindings() of appkit-server/adapter/cloudflare instead.';
  return owner ? `Install it: ${owner.name} needs it.` : 'Install the package, or correct the name.';
}
