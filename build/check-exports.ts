import type { Method } from 'appkit-server/manifest';
import { parseSync } from 'rolldown/utils';

import { readCommonJsExports } from './commonjs-exports.ts';
import type { Problem } from './problem.ts';
import { type SourcePosition, toSourcePosition } from './source-position.ts';

/** The names of handlers, in the order a manifest lists them. */
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A source file beside the names its bundle exports. */
export interface ExportingFile {
  file: string;
  source: string;
  /** From the bundler, which has followed every `export *`. Empty for a CommonJS source. */
  exports: readonly string[];
}

/** Tells which methods a route answers, and what it exports by mistake. */
export function checkRouteExports(route: ExportingFile): { methods: Method[]; problems: Problem[] } {
  const names = readExportNames(route);
  const problems: Problem[] = [];
  for (const name of names) {
    const method = METHODS.find((candidate) => candidate === name.toUpperCase());
    const place = { file: route.file, ...findExport(route, name) };
    if (name === 'default') {
      const message = 'A route has no default export: each method has a handler of its own.';
      problems.push({ ...place, message, fix: 'Name the function by its method: export function GET(request) { … }.' });
    } else if (method !== undefined && method !== name) {
      const message = `The handler ${name} is never called: methods are written in capitals.`;
      problems.push({ ...place, message, fix: `Rename it to ${method}.` });
    }
  }
  const methods = METHODS.filter((method) => names.includes(method));
  if (methods.length + problems.length === 0) {
    const message = `The route exports no handler${names.length > 0 ? `, only ${names.join(', ')}` : ''}.`;
    problems.push({ file: route.file, message, fix: 'Export a function named GET, POST or another method.' });
  }
  return { methods, problems };
}

/** Tells whether middleware can be called. */
export function checkMiddlewareExports(middleware: ExportingFile): Problem[] {
  if (readExportNames(middleware).includes('default')) return [];
  const message = 'Middleware needs a default export.';
  const fix = 'Export the function that receives each request: export default function middleware(request) { … }.';
  return [{ file: middleware.file, message, fix }];
}

function readExportNames({ file, source, exports }: ExportingFile): readonly string[] {
  if (exports.length > 0) return exports;
  const { program, module } = parseSync(file, source);
  return module.hasModuleSyntax ? [] : readCommonJsExports(program);
}

/** Finds where a source exports a name, unless it does so by `export *`. */
function findExport({ file, source }: ExportingFile, name: string): SourcePosition | undefined {
  for (const { entries } of parseSync(file, source).module.staticExports) {
    const entry = entries.find(({ exportName }) => (exportName.name ?? exportName.kind.toLowerCase()) === name);
    if (entry) return toSourcePosition(source, entry.exportName.start ?? entry.start);
  }
  return undefined;
}
