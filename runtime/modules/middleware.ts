import { codedError } from '../http/coded-error.ts';
import type { Method } from '../manifest.ts';
import { createMatcher } from '../routing/match.ts';
import { toSegments } from '../routing/pathname.ts';

/** What a middleware file may export as `config` to run for some requests only. */
export interface MiddlewareConfig {
  /** Which requests the middleware runs for. Default: all. */
  matcher?: MiddlewareMatcher;
}

/** Limits a middleware. With both fields, both must fit; an empty list fits nothing. */
export interface MiddlewareMatcher {
  /** The HTTP methods it runs for. Default: all. */
  methods?: readonly (Method | (string & {}))[];
  /**
   * The paths it runs for, written as routes are: `/admin`, `/users/[id]`, `/files/[...path]`. A pattern fits exactly the
   * paths a route of that pattern answers. A RegExp is tested on the decoded path without its trailing slash. Default:
   * all.
   */
  patterns?: readonly (string | RegExp)[];
}

/**
 * Continues with the middleware of folders below, then the route or the page.
 *
 * @returns the answer, which may be changed. An error of a route is reported, and is a 500 here. The promise rejects only with
 * `ERR_NEXT_CALLED`: it was called twice, or after the middleware had returned, and a route answers once.
 */
export type Next = () => Promise<Response>;

/** Whether a middleware runs for a request. */
export type MiddlewareFilter = (method: string, pathname: string) => boolean;

/** The parts of a middleware module that the handler uses. */
export interface Middleware {
  file: string;
  run: (request: Request, next: Next) => unknown;
  appliesTo: MiddlewareFilter;
}

/**
 * Reads a middleware module.
 *
 * @throws TypeError when its default export is not a function or its matcher cannot be read. An unreadable matcher must not mean "never": the
 * middleware is often a login.
 */
export function toMiddleware(module: unknown, file: string, implicitHead: boolean): Middleware {
  const exports = module as { default?: unknown; config?: unknown; unstable_settings?: unknown };
  if (typeof exports.default !== 'function') {
    throw codedError(
      'ERR_MIDDLEWARE_INVALID',
      `${file} has no function as its default export. Write: export default function middleware(request) { … }`,
    );
  }
  const config = (exports.config ?? exports.unstable_settings) as MiddlewareConfig | undefined;
  return {
    file,
    run: exports.default as Middleware['run'],
    appliesTo: createFilter(config?.matcher ?? {}, file, implicitHead),
  };
}

function createFilter(matcher: MiddlewareMatcher, file: string, implicitHead: boolean): MiddlewareFilter {
  const methods = toMethods(matcher.methods, file, implicitHead);
  const fitsPath = toPathTest(matcher.patterns, file);
  return (method, pathname) => (!methods || methods.has(method)) && fitsPath(pathname);
}

function toMethods(methods: unknown, file: string, implicitHead: boolean): ReadonlySet<string> | undefined {
  if (methods === undefined) return undefined;
  if (!Array.isArray(methods) || !methods.every((method) => typeof method === 'string')) {
    throw codedError(
      'ERR_MATCHER_INVALID',
      `${file}: config.matcher.methods must be a list of HTTP methods, such as ['POST', 'PUT'].`,
    );
  }
  const set = new Set(methods.map((method) => method.toUpperCase()));
  // HEAD then runs the GET handler, so a guard of GET must guard HEAD.
  if (implicitHead && set.has('GET')) set.add('HEAD');
  return set;
}

function toPathTest(patterns: unknown, file: string): (pathname: string) => boolean {
  if (patterns === undefined) return () => true;
  if (!Array.isArray(patterns) || !patterns.every((pattern) => typeof pattern === 'string' || isRegExp(pattern))) {
    throw codedError(
      'ERR_MATCHER_INVALID',
      `${file}: config.matcher.patterns must be a list of patterns, such as ['/admin', /^\\/api\\//].`,
    );
  }
  const expressions = patterns.filter(isRegExp);
  const texts = patterns.filter((pattern) => typeof pattern === 'string');
  for (const text of texts) assertPlain(text, file);
  // The export names routes in this form of Unicode, whatever the file system uses.
  const match = createMatcher(texts.map((text) => ({ pattern: text.normalize('NFC') })));
  return (pathname) => {
    if (match(pathname)) return true;
    if (expressions.length === 0) return false;
    const path = `/${toSegments(pathname).join('/')}`;
    // search, unlike test, ignores the last position of a RegExp with the g flag.
    return expressions.some((expression) => path.search(expression) !== -1);
  };
}

// In a route file these are plain text or invalid. In a matcher, the author means the syntax of another system, and the pattern would silently
// guard nothing.
const mistakes: [found: RegExp, advice: string][] = [
  [/\*/, 'Write [...path] for one or more segments.'],
  [/\/:/, 'Write [name] for a parameter.'],
  [/%[\da-f]{2}/i, 'Write the character itself: paths are matched decoded.'],
  [/\/index\/?$/, 'Leave /index out: it is not part of the URL.'],
];

function assertPlain(pattern: string, file: string): void {
  const mistake = mistakes.find(([found]) => found.test(pattern));
  if (!mistake) return;
  throw codedError(
    'ERR_MATCHER_INVALID',
    `${file}: the pattern ${JSON.stringify(pattern)} fits no path. ${mistake[1]}`,
  );
}

function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}
