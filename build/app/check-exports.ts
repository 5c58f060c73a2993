import type { Method } from 'appkit-server/manifest';
import { parseSync } from 'rolldown/utils';

import { isCommonJs, readCommonJsExports, replacesExports } from './commonjs-exports.ts';
import { findExportedValue } from './exported-value.ts';
import type { MiddlewareFile } from './middleware.ts';
import { explainNonFunction } from './non-function.ts';
import type { Problem } from '../problem.ts';
import { readJobSettings } from './job-settings.ts';
import type { ShownSettings } from './job-settings.ts';
import { findScheduleProblem } from './schedule-problem.ts';
import { toSourcePosition } from './source-position.ts';
import type { SourcePosition } from './source-position.ts';

// This package may import only types of the runtime, so the list is repeated here. It fails to compile if they differ.
const LISTED = { GET: 0, POST: 0, PUT: 0, PATCH: 0, DELETE: 0, HEAD: 0, OPTIONS: 0 } satisfies Record<Method, 0>;

/** The names of handlers, in the order a manifest lists them. */
export const METHODS: readonly Method[] = Object.keys(LISTED) as Method[]; // its keys, by its type

/** A source file, and the names that its bundle exports. */
export interface ExportingFile {
  file: string;
  source: string;
  /** The names the bundler found by following every `export *`. Empty for a CommonJS source. */
  exports: readonly string[];
}

/**
 * Whether the text of a route shows that its handlers are functions, so that it need not be parsed: parsing would be a
 * good part of the time of a large export.
 */
export function showsHandlers({ source, exports }: ExportingFile): boolean {
  const handlers = METHODS.filter((method) => exports.includes(method));
  return handlers.length > 0 && handlers.every((name) => showsFunction(source, name));
}

/** Finds the methods a route answers and its mistaken exports. */
export function checkRouteExports(route: ExportingFile): { methods: Method[]; problems: Problem[] } {
  const names = readExportNames(route);
  const problems: Problem[] = [];
  for (const name of names) {
    const method = METHODS.find((candidate) => candidate === name.toUpperCase());
    // Found only for a problem: parsing is a good part of the time of a large export.
    const place = (): Omit<Problem, 'message' | 'fix'> => ({ file: route.file, ...findExport(route, name) });
    if (name === 'default') {
      const message = 'A route has no default export: each method has its own handler.';
      problems.push({
        ...place(),
        message,
        fix: 'Name the function by its method: export function GET(request) { … }.',
      });
    } else if (method !== undefined && method !== name) {
      const message = `The handler ${name} is never called: methods are written in capitals.`;
      problems.push({ ...place(), message, fix: `Rename it to ${method}.` });
    } else if (method !== undefined) {
      const kind = findNonFunction(route, name);
      const fix = `Make it one: export function ${name}(request) { … }.`;
      if (kind) problems.push({ ...place(), message: `The handler ${name} is ${kind}, not a function.`, fix });
    }
  }
  const methods = METHODS.filter((method) => names.includes(method));
  if (methods.length + problems.length === 0) {
    const message = `The route exports no handler${names.length > 0 ? `, only ${names.join(', ')}` : ''}.`;
    const fix = replacesExports(parseSync(route.file, route.source).program)
      ? 'Name the handlers where they are exported, as in { GET, POST }: only what is written there is found.'
      : 'Export a function named GET, POST or another method.';
    problems.push({ file: route.file, message, fix });
  }
  return { methods, problems };
}

/** Checks that middleware can be called. Instrumentation may have nothing to call. */
export function checkMiddlewareExports(middleware: ExportingFile, { role }: Pick<MiddlewareFile, 'role'>): Problem[] {
  const { file } = middleware;
  const fix = 'Export the function that receives each request: export default function middleware(request) { … }.';
  if (!readExportNames(middleware).includes('default')) {
    if (role === 'instrumentation') return [];
    return [{ file, message: 'Middleware needs a default export.', fix }];
  }
  const kind = findNonFunction(middleware, 'default');
  if (!kind) return [];
  const message = `The default export of middleware is ${kind}, not a function.`;
  return [{ file, ...findExport(middleware, 'default'), message, fix }];
}

/** Checks that a `+job` file exports a job, and reads the settings its source shows. */
export function checkJobExports(job: ExportingFile): { settings: ShownSettings; problems: Problem[] } {
  return { settings: readJobSettings(job), problems: findJobProblems(job) };
}

function findJobProblems(job: ExportingFile): Problem[] {
  const { file, source } = job;
  const fix = 'Write export default defineJob({ … }), with defineJob of appkit-server/jobs.';
  if (!readExportNames(job).includes('default')) {
    return [{ file, message: 'A job needs a default export.', fix }];
  }
  const value = findExportedValue(parseSync(file, source), 'default');
  const isFunction = value && /Function/.test(value.type);
  const kind = isFunction ? 'a function' : value && explainNonFunction(value);
  if (!kind) {
    const found = value && findScheduleProblem(value);
    return found ? [{ file, ...toSourcePosition(source, found.start), message: found.message, fix: found.fix }] : [];
  }
  const message = `The default export of a job is ${kind}, not what defineJob() returns.`;
  return [{ file, ...findExport(job, 'default'), message, fix }];
}

function readExportNames({ file, source, exports }: ExportingFile): readonly string[] {
  if (exports.length > 0) return exports;
  const parsed = parseSync(file, source);
  return isCommonJs(parsed) ? readCommonJsExports(parsed.program) : [];
}

/**
 * Whether the text of a source shows that what it exports under a name is a function. The name occurs only there, so
 * it cannot be in a comment next to the real export.
 */
function showsFunction(source: string, name: string): boolean {
  if (source.split(name).length !== 2 || source.includes('\\u')) return false;
  const [before = '', after = ''] = source.split(name);
  if (/\bexport\s+(?:async\s+)?function\s*\*?\s*$/.test(before)) return /^\s*[(<]/.test(after);
  return /\bexport\s+const\s+$/.test(before) && ARROW.test(after);
}

/** An arrow function after the name of a constant: with its types, unless these have parentheses or texts. */
const ARROW = /^\s*(?::[^=()'"`/;]*)?=\s*(?:async\s*)?(?:[\w$]+|\([^()'"`/]*\)\s*(?::[^=()'"`/;]*)?)\s*=>/;

/** Describes an export whose source shows that it cannot be called. */
function findNonFunction({ file, source }: ExportingFile, name: string): string | undefined {
  if (showsFunction(source, name)) return undefined;
  const value = findExportedValue(parseSync(file, source), name);
  return value && explainNonFunction(value);
}

/** Finds where a source exports a name, unless it does so through `export *`. */
function findExport({ file, source }: ExportingFile, name: string): SourcePosition | undefined {
  for (const { entries } of parseSync(file, source).module.staticExports) {
    const entry = entries.find(({ exportName }) => (exportName.name ?? exportName.kind.toLowerCase()) === name);
    if (entry) return toSourcePosition(source, entry.exportName.start ?? entry.start);
  }
  return undefined;
}
