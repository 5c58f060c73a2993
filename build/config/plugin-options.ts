import type { ManifestCacheRule, ManifestRedirect, ManifestRewrite } from 'appkit-server/manifest';

import { parseCacheRules } from './cache-options.ts';
import { parseHeaders } from './header-options.ts';
import { findNearestName } from './nearest-name.ts';
import type { Problem } from '../problem.ts';
import { parseRedirects, parseRewrites } from './rule-options.ts';
import { isSecuritySchemes } from './security-schemes.ts';
import type { SecuritySchemes } from './security-schemes.ts';

/** The options of the router plugin that an export reads. */
export interface PluginOptions {
  /** The routes folder, relative to the project. */
  root?: string;
  /** Answer HEAD from GET. */
  implicitHead: boolean;
  /** Where the app is deployed. */
  origin?: string;
  /** Whether API routes are exported. Absent when the option is not set. */
  apiRoutes?: boolean;
  /** Packages that are not bundled. */
  external: string[];
  /** Whether routes use the native Request, Response and fetch on every host. */
  strictFetch: boolean;
  /** Paths whose requests are redirected. Absent when there are none. */
  redirects?: ManifestRedirect[];
  /** Paths that another path of the app answers. Absent when there are none. */
  rewrites?: ManifestRewrite[];
  /** Headers of every response. Absent when there are none. */
  headers?: Record<string, string | string[]>;
  /** How the responses to some paths may be cached. Absent when nothing is configured. */
  cache?: ManifestCacheRule[];
  /** Other origins whose forms are accepted. Absent when there are none. */
  formOrigins?: string[];
  /** The ways to authenticate that contracts name, for the OpenAPI document. Absent when there are none. */
  securitySchemes?: SecuritySchemes;
}

const KNOWN = [
  'origin',
  'root',
  'redirects',
  'rewrites',
  'headers',
  'cache',
  'formOrigins',
  'implicitHead',
  'apiRoutes',
  'external',
  'strictFetch',
  'securitySchemes',
];
/** What a deployed origin must be, in messages. */
export const ORIGIN = 'a URL with http or https, such as "https://example.com"';

/** Checks the options object of `["appkit-router", { … }]`. */
export function parsePluginOptions(
  options: Record<string, unknown>,
  { file }: { file: string },
): { options: PluginOptions; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (message: string, fix: string): void => void problems.push({ file, message, fix });

  for (const key of Object.keys(options)) {
    if (!KNOWN.includes(key)) {
      const nearest = findNearestName(key, KNOWN);
      const fix = nearest ? `Did you mean ${nearest}?` : `Known options: ${KNOWN.join(', ')}.`;
      report(`appkit-router has no option ${key}.`, fix);
    }
  }
  const read = <T>(key: string, accepts: (value: unknown) => value is T, wanted: string): T | undefined => {
    const value = options[key];
    if (value === undefined || accepts(value)) return value;
    report(`The option ${key} of appkit-router is ${JSON.stringify(value)}.`, `Make it ${wanted}.`);
    return undefined;
  };

  const root = read('root', isFolderName, 'a path relative to the project, such as "src/routes"');
  const apiRoutes = read('apiRoutes', isBoolean, 'true or false');
  const origin = read('origin', isOrigin, ORIGIN);
  const redirects = parseRedirects(options['redirects'], report);
  const rewrites = parseRewrites(options['rewrites'], report);
  const headers = parseHeaders(options['headers'], report);
  const cache = parseCacheRules(options['cache'], report);
  const formOrigins =
    read('formOrigins', isFormOrigins, 'a list of origins, such as ["https://login.example"], or ["*"]') ?? [];
  const securitySchemes = read(
    'securitySchemes',
    isSecuritySchemes,
    'an object of security schemes of OpenAPI, such as { "bearer": { "type": "http", "scheme": "bearer" } }',
  );
  return {
    options: {
      ...(root === undefined ? {} : { root }),
      ...(apiRoutes === undefined ? {} : { apiRoutes }),
      ...(origin === undefined ? {} : { origin }),
      implicitHead: read('implicitHead', isBoolean, 'true or false') ?? false,
      external: read('external', isPackageNames, 'a list of package names, such as ["better-sqlite3"]') ?? [],
      strictFetch: read('strictFetch', isBoolean, 'true or false') ?? false,
      ...(redirects.length > 0 ? { redirects } : {}),
      ...(rewrites.length > 0 ? { rewrites } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(cache.length > 0 ? { cache } : {}),
      ...(formOrigins.length > 0 ? { formOrigins } : {}),
      ...(securitySchemes === undefined ? {} : { securitySchemes }),
    },
    problems,
  };
}

/** Names the options that need a server, for an export without one. */
export function namesForServer({ redirects, rewrites, headers, cache, formOrigins }: PluginOptions): string[] {
  return Object.entries({ redirects, rewrites, headers, cache, formOrigins }).flatMap(([name, value]) =>
    value ? [name] : [],
  );
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isFolderName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether a value of the config is a URL that an app can be deployed at. */
export function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

/** In the form that browsers and apps' web views send: scheme, host and port, such as `capacitor://localhost`. */
function isFormOrigins(value: unknown): value is string[] {
  const isSent = (one: unknown): boolean => {
    if (isOrigin(one)) return new URL(one).origin === one;
    return typeof one === 'string' && /^(?!https?:)[a-z][\w+.-]*:\/\/[^\s/?#]+$/.test(one);
  };
  return Array.isArray(value) && value.every((one) => one === '*' || isSent(one));
}

/** `bun:sqlite` and the like are modules that a host provides. */
const PACKAGE_NAME = /^(?:@[^/\s@]+\/)?[^./\s@][^/\s]*$/;

function isPackageNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && PACKAGE_NAME.test(name));
}
