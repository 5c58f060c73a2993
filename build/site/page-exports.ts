import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';
import type { ParseResult } from 'rolldown/utils';

import { findExportedValue } from '../app/exported-value.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { Problem } from '../problem.ts';
import { findForeignExports } from '../secrets/foreign-exports.ts';
import { isForeign } from '../secrets/foreign-names.ts';
import type { PageFile } from './scan-pages.ts';

/** What the sources of pages and layouts tell about them. */
export interface PageExports {
  /** The sources that export a loader: pages and layouts. */
  loaders: Set<string>;
  /** The pages that export an action. */
  actions: Set<string>;
  /** The pages that send no JavaScript: `export const hydrate = false`. */
  withoutClient: Set<string>;
  /** The sources that list their parameters. */
  withStaticParams: Set<string>;
  /** The sources that cannot be parsed. */
  unreadable: Set<string>;
  problems: Problem[];
}

function createPageExports(): PageExports {
  return {
    withoutClient: new Set(),
    loaders: new Set(),
    actions: new Set(),
    withStaticParams: new Set(),
    unreadable: new Set(),
    problems: [],
  };
}

/** The folder of the sources, and the findings of earlier exports. */
interface ReadOptions {
  projectRoot: string;
  cache?: BundleCache | undefined;
}

/** Reads what pages export. */
export function readPageExports(pages: readonly PageFile[], options: ReadOptions): PageExports {
  const found = createPageExports();
  for (const { file } of pages) {
    const { names, hydrate, foreign } = readNames(file, options);
    found.problems.push(...foreign);
    if (!names) {
      found.unreadable.add(file);
      continue;
    }
    if (hydrate === false) found.withoutClient.add(file);
    if (names.includes('hydrate') && hydrate === undefined) {
      const message = 'It exports hydrate, but its value is not a literal.';
      found.problems.push({ file, message, fix: 'Write export const hydrate = false, or leave it out.' });
    }
    if (names.includes('loader')) found.loaders.add(file);
    if (names.includes('action') && !isForeign('action', file)) found.actions.add(file);
    if (names.includes('generateStaticParams')) found.withStaticParams.add(file);
    if (!names.includes('default')) {
      const message =
        'Every source file in the routes folder that is not +api is a page, and this one has no default export.';
      const fix = 'Export the component as default, or move the file out of the routes folder.';
      found.problems.push({ file, message, fix });
    }
  }
  return found;
}

/** Reads the exports of layouts and the document. */
export function readFrameExports(
  { layouts, html }: { layouts: readonly string[]; html?: string | undefined },
  options: ReadOptions,
): PageExports {
  const found = createPageExports();
  for (const file of html === undefined ? layouts : [...layouts, html]) {
    const { names, foreign } = readNames(file, options);
    found.problems.push(...foreign);
    if (!names) {
      found.unreadable.add(file);
      continue;
    }
    if (!names.includes('default')) {
      const message = 'It wraps pages but has no default export.';
      found.problems.push({ file, message, fix: 'Export the component as default.' });
    }
    if (file !== html && names.includes('loader')) found.loaders.add(file);
    const ofPages = ['generateStaticParams', 'hydrate'];
    const unfit = file === html ? ['loader', ...ofPages] : ofPages;
    for (const name of unfit.filter((one) => names.includes(one))) {
      const message = `It exports ${name}, which only ${name === 'loader' ? 'pages and layouts' : 'pages'} have: nothing would call it.`;
      found.problems.push({ file, message, fix: 'Move it to the page.' });
    }
  }
  return found;
}

/** The exports of a file. */
interface ReadNames {
  /** Absent when the file cannot be parsed: the bundler reports what is wrong. */
  names?: string[];
  /** The value of the export of this name, if it is a literal. */
  hydrate?: boolean | undefined;
  /** Exports that are meant for another framework. */
  foreign: Problem[];
}

function readNames(file: string, { projectRoot, cache }: ReadOptions): ReadNames {
  const absolute = path.join(projectRoot, file);
  const read = (): ReadNames => {
    const source = readFileSync(absolute, 'utf8');
    const parsed = parseSync(file, source);
    if (parsed.errors.length > 0) return { foreign: [] };
    const entries = parsed.module.staticExports.flatMap((statement) => statement.entries);
    return {
      names: entries.map(({ exportName }) => exportName.name ?? 'default'),
      hydrate: findBoolean(parsed, 'hydrate'),
      foreign: findForeignExports(source, file),
    };
  };
  return cache ? cache.recall(['exports', file, cache.hashFile(absolute)], read) : read();
}

function findBoolean(parsed: ParseResult, name: string): boolean | undefined {
  const value = findExportedValue(parsed, name);
  return value?.type === 'Literal' && typeof value.value === 'boolean' ? value.value : undefined;
}
