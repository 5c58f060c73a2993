import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { findNearestName } from './nearest-name.ts';
import { isOrigin, ORIGIN, parsePluginOptions } from './plugin-options.ts';
import type { PluginOptions } from './plugin-options.ts';
import { withoutMark } from '../packages/parse-json.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { toSourcePosition } from '../app/source-position.ts';

/** How an app is exported for the web: the key `web.output` of its config. */
export type WebOutput = 'single' | 'static' | 'server';

/** How page paths end: the key `web.trailingSlash` of the config. */
export type TrailingSlash = 'never' | 'always';

/** The parts of the app config that an export reads. */
export interface AppConfig extends PluginOptions {
  /** The config file, relative to the project. `app.json` if none exists, so that messages can name a place. */
  file: string;
  /** Absent when the config does not set it. */
  output?: WebOutput;
  /** The path that the app is below, such as `/shop`. Absent at the root of its host. */
  base?: string;
  /** Absent when both forms are answered. */
  trailingSlash?: TrailingSlash;
  /** How many exports assets are kept after the last one that uses them. Absent when the config does not set it. */
  keepAssets?: number;
}

const DYNAMIC = /^app\.config\.[cm]?[jt]s$/;
const OUTPUTS: readonly unknown[] = ['single', 'static', 'server'] satisfies WebOutput[];
const TRAILING_SLASHES: readonly unknown[] = ['never', 'always'] satisfies TrailingSlash[];

/** The keys of `web` that belong to the platform whose apps keep their config under `expo`. */
const WEB_KEYS_OF_OTHERS = [
  'backgroundColor',
  'barStyle',
  'build',
  'bundler',
  'config',
  'dangerous',
  'description',
  'dir',
  'display',
  'favicon',
  'lang',
  'meta',
  'name',
  'orientation',
  'preferRelatedApplications',
  'scope',
  'shortName',
  'splash',
  'startUrl',
  'themeColor',
  'viewport',
];

/**
 * Reads `app.json` and `app.config.*` of a project. A project without either has the defaults.
 *
 * @returns the config, and a problem for each key that has the wrong type; such a key counts as absent.
 * @throws ExportError when a file cannot be read or run: the rest could not be trusted.
 */
export async function readAppConfig(projectRoot: string): Promise<{ config: AppConfig; problems: Problem[] }> {
  const names = await readdir(projectRoot);
  const dynamic = names.filter((name) => DYNAMIC.test(name)).toSorted();
  if (dynamic.length > 1) {
    const [file = '', ...others] = dynamic;
    throw new ExportError([{ file, message: `There is also ${others.join(' and ')}.`, fix: 'Keep one config file.' }]);
  }
  const fixed = names.includes('app.json') ? await readJsonConfig(projectRoot) : undefined;
  const file = dynamic[0] ?? 'app.json';
  const config = dynamic[0] === undefined ? fixed : unwrap(await runConfig(projectRoot, dynamic[0], unwrap(fixed)));
  return parseAppConfig(unwrap(config), { file });
}

async function readJsonConfig(projectRoot: string): Promise<unknown> {
  const text = withoutMark(await readFile(path.join(projectRoot, 'app.json'), 'utf8'));
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = toMessage(error);
    // Some errors contain an offset. The others quote the text around the place, line breaks included.
    const offset = /position (\d+)/.exec(message)?.[1];
    const position = offset === undefined ? {} : toSourcePosition(text, Number(offset));
    const quoted = message.replaceAll(/\s+/g, ' ');
    throw new ExportError([
      { file: 'app.json', ...position, message: `It is not valid JSON: ${quoted}.`, fix: 'Correct the syntax.' },
    ]);
  }
}

async function runConfig(projectRoot: string, file: string, fixed: unknown): Promise<unknown> {
  const fullPath = path.join(projectRoot, file);
  const url = pathToFileURL(fullPath);
  // Modules are cached by URL: without this, a process that exports twice would see the first config twice.
  url.searchParams.set('changed', String((await stat(fullPath)).mtimeMs));
  // A CommonJS module is also cached by its path.
  const { cache, resolve } = createRequire(url);
  delete cache[resolve(fullPath)];
  try {
    const module: { default?: unknown } = await import(url.href);
    if (typeof module.default === 'function') return await module.default({ config: fixed ?? {} });
    if (module.default !== undefined) return module.default;
  } catch (error) {
    throw new ExportError([{ file, message: `It failed to run: ${toMessage(error)}.`, fix: explainFailure(error) }]);
  }
  throw new ExportError([
    {
      file,
      message: 'It has no default export.',
      fix: 'Export the config, or a function that returns it, as default.',
    },
  ]);
}

function explainFailure(error: unknown): string {
  return isRecord(error) && error['code'] === 'ERR_UNKNOWN_FILE_EXTENSION'
    ? `Node ${process.versions.node} does not read TypeScript: use Node 22.18 or later, or write app.config.js.`
    : 'Correct the config file.';
}

/** The config is the object under `expo` if it exists: apps of that platform keep theirs there. */
function unwrap(config: unknown): unknown {
  return isRecord(config) && isRecord(config['expo']) ? config['expo'] : config;
}

function parseAppConfig(value: unknown, { file }: { file: string }): { config: AppConfig; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (message: string, fix: string): void => void problems.push({ file, message, fix });
  const config = value ?? {};
  if (!isRecord(config)) {
    throw new ExportError([{ file, message: `The config is ${JSON.stringify(value)}.`, fix: 'Make it an object.' }]);
  }

  const web = config['web'] ?? {};
  if (isRecord(web)) reportUnknownKeys(web, report);
  else report(`The key web is ${JSON.stringify(web)}.`, 'Make it an object.');
  const output = isRecord(web) ? web['output'] : undefined;
  if (output !== undefined && !OUTPUTS.includes(output)) {
    report(`The key web.output is ${JSON.stringify(output)}.`, 'Make it "single", "static" or "server".');
  }
  const base = isRecord(web) ? (web['base'] ?? '/') : '/';
  if (base !== '/' && !isBase(base)) {
    const fix =
      'Make it a path such as "/shop": a slash before each name, none at the end, and in names only letters, digits and - . _ ~.';
    report(`The key web.base is ${JSON.stringify(base)}.`, fix);
  }
  const trailingSlash = isRecord(web) ? (web['trailingSlash'] ?? 'ignore') : 'ignore';
  if (trailingSlash !== 'ignore' && !isTrailingSlash(trailingSlash)) {
    const key = `The key web.trailingSlash is ${JSON.stringify(trailingSlash)}.`;
    report(key, 'Make it "ignore", "never" or "always".');
  }

  const keepAssets = isRecord(web) ? web['keepAssets'] : undefined;
  if (keepAssets !== undefined && !isCount(keepAssets)) {
    report(`The key web.keepAssets is ${JSON.stringify(keepAssets)}.`, 'Make it a whole number, 0 or more.');
  }

  const plugins = config['plugins'] ?? [];
  if (!Array.isArray(plugins)) report(`The key plugins is ${JSON.stringify(plugins)}.`, 'Make it a list.');
  const entries = Array.isArray(plugins) ? plugins.filter(isRouterPlugin) : [];
  if (entries.length > 1) {
    report(`appkit-router is listed ${entries.length} times in plugins.`, 'Keep one entry, with all options in it.');
  }
  const plugin = Array.isArray(entries[0]) ? entries[0][1] : undefined;
  if (plugin !== undefined && !isRecord(plugin)) {
    report(
      `The options of appkit-router in plugins are ${JSON.stringify(plugin)}.`,
      'Make them an object: ["appkit-router", { … }].',
    );
  }
  const deployed = readDeployedOrigin(config['extra'], report);
  const parsed = parsePluginOptions(isRecord(plugin) ? plugin : {}, { file });
  return {
    config: {
      file,
      ...(isOutput(output) ? { output } : {}),
      ...(isBase(base) ? { base } : {}),
      ...(isTrailingSlash(trailingSlash) ? { trailingSlash } : {}),
      ...(isCount(keepAssets) ? { keepAssets } : {}),
      ...parsed.options,
      ...(deployed === undefined ? {} : { origin: deployed }),
    },
    problems: [...problems, ...parsed.problems],
  };
}

/** A misspelt `output` would silently export the app as something else. */
function reportUnknownKeys(web: Record<string, unknown>, report: (message: string, fix: string) => void): void {
  const known = ['output', 'base', 'trailingSlash', 'keepAssets', ...WEB_KEYS_OF_OTHERS];
  for (const key of Object.keys(web).filter((key) => !known.includes(key))) {
    const nearest = findNearestName(key, known);
    const others =
      'The keys read here are output ("single", "static" or "server"), base (a path), trailingSlash ("ignore", "never" or "always") and keepAssets (a number).';
    report(`The key web has no key ${key}.`, nearest ? `Did you mean ${nearest}?` : others);
  }
}

function isOutput(value: unknown): value is WebOutput {
  return OUTPUTS.includes(value);
}

/**
 * These characters are written the same in a URL, a pattern and a folder name. Hosts do not serve names that start with
 * a dot.
 */
function isBase(value: unknown): value is string {
  return typeof value === 'string' && /^(?:\/[A-Za-z0-9~][\w.~-]*)+$/.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isTrailingSlash(value: unknown): value is TrailingSlash {
  return TRAILING_SLASHES.includes(value);
}

/** `"appkit-router"` or `["appkit-router", options]`; other plugins in the list are not checked. */
function isRouterPlugin(plugin: unknown): boolean {
  return (Array.isArray(plugin) ? plugin[0] : plugin) === 'appkit-router';
}

/** Reads `extra.router.origin`, where a deployment records where it put the app: it wins over the plugin option. */
function readDeployedOrigin(value: unknown, report: (message: string, fix: string) => void): string | undefined {
  const extra = value ?? {};
  if (!isRecord(extra)) {
    report(`The key extra is ${JSON.stringify(extra)}.`, 'Make it an object.');
    return undefined;
  }
  const router = extra['router'] ?? {};
  if (!isRecord(router)) {
    report(`The key extra.router is ${JSON.stringify(router)}.`, 'Make it an object.');
    return undefined;
  }
  const { origin } = router;
  if (origin === undefined || isOrigin(origin)) return origin;
  report(`The key extra.router.origin is ${JSON.stringify(origin)}.`, `Make it ${ORIGIN}.`);
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
