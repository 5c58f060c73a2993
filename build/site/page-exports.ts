import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';

import type { BundleCache } from '../cache/bundle-cache.ts';
import type { Problem } from '../problem.ts';
import type { PageFile } from './scan-pages.ts';

/** What is known of a page from its source. */
export interface PageExports {
  /** The sources that export a loader. */
  loaders: Set<string>;
  /** The sources that list their parameters. */
  withStaticParams: Set<string>;
  /** The sources that cannot be parsed. */
  unreadable: Set<string>;
  problems: Problem[];
}

/** Where sources are read, and what former exports have found in them. */
interface ReadOptions {
  projectRoot: string;
  cache?: BundleCache | undefined;
}

/** Reads what pages export. */
export function readPageExports(pages: readonly PageFile[], options: ReadOptions): PageExports {
  const found: PageExports = { loaders: new Set(), withStaticParams: new Set(), unreadable: new Set(), problems: [] };
  for (const { file } of pages) {
    const names = readNames(file, options);
    if (!names) {
      found.unreadable.add(file);
      continue;
    }
    if (names.includes('loader')) found.loaders.add(file);
    if (names.includes('generateStaticParams')) found.withStaticParams.add(file);
    if (!names.includes('default')) {
      const message =
        'It is a page, as is every source file in the routes folder that is no +api, and has no default export.';
      const fix = 'Export the component as default, or move the file out of the routes folder.';
      found.problems.push({ file, message, fix });
    }
  }
  return found;
}

/** Finds what is wrong with what layouts and the document export. */
export function checkFrames(files: readonly string[], options: ReadOptions): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    const names = readNames(file, options) ?? ['default'];
    if (!names.includes('default')) {
      const message = 'It is around pages, and has no default export.';
      problems.push({ file, message, fix: 'Export the component as default.' });
    }
    for (const name of ['loader', 'generateStaticParams'].filter((one) => names.includes(one))) {
      const message = `It exports ${name}, which only pages have: nothing would call it.`;
      problems.push({ file, message, fix: 'Move it to the page.' });
    }
  }
  return problems;
}

/** Nothing when the file cannot be parsed: the bundler says what is wrong. */
function readNames(file: string, { projectRoot, cache }: ReadOptions): string[] | undefined {
  const source = path.join(projectRoot, file);
  const read = (): string[] | null => {
    const { module, errors } = parseSync(file, readFileSync(source, 'utf8'));
    if (errors.length > 0) return null;
    return module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? 'default'));
  };
  return (cache ? cache.recall(['exports', file, cache.hashFile(source)], read) : read()) ?? undefined;
}
