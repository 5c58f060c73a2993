import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';

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

/** Reads the names that pages and layouts export. */
export async function readPageExports(
  pages: readonly PageFile[],
  { projectRoot }: { projectRoot: string },
): Promise<PageExports> {
  const found: PageExports = { loaders: new Set(), withStaticParams: new Set(), unreadable: new Set(), problems: [] };
  for (const { file } of pages) {
    const source = await readFile(path.join(projectRoot, file), 'utf8');
    const { module, errors } = parseSync(file, source);
    // The bundler says what is wrong.
    if (errors.length > 0) {
      found.unreadable.add(file);
      continue;
    }
    const names = module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name ?? 'default'),
    );
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
