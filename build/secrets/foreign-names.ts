import path from 'node:path';

import type { Problem } from '../problem.ts';

const LOADER = 'Export loader(request, params) instead, and read what it returns with useLoaderData().';
const PARAMS = 'Export generateStaticParams instead, which returns the parameters of each page.';

/** What pages of other frameworks export for their server, and what to write here. */
const FIXES = new Map([
  ['action', 'Pages have no action yet: export POST from a route instead, and call that with fetch.'],
  ['getServerSideProps', LOADER],
  ['getServerData', LOADER],
  ['getStaticProps', `${LOADER} With web.output "static" it runs once, at the export.`],
  ['getStaticPaths', PARAMS],
  ['generateMetadata', 'Render <title> and <meta> in the component instead: they get into the head from there.'],
  ['middleware', 'Write it as +middleware.ts at the top of the routes folder.'],
]);

/** The names by which other frameworks know what is for their server. */
export const FOREIGN_NAMES: readonly string[] = [...FIXES.keys()];

/**
 * Says that something of {@link FOREIGN_NAMES} would be in the client, and what to write instead.
 *
 * @param place – `isPage`: no layout, so that a route can answer at its path. `specifier`: the module that exports it instead.
 */
export function toForeignProblem(
  name: string,
  { isPage, specifier, ...place }: Pick<Problem, 'file' | 'line' | 'column'> & { isPage: boolean; specifier?: string },
): Problem {
  const by = specifier === undefined ? '' : ` by export * from '${specifier}'`;
  const message = `It exports ${name}${by}, which means nothing here: nothing calls it, and the client would get it with all that it imports.`;
  return { ...place, message, fix: toFix(name, { file: place.file, isPage }) };
}

function toFix(name: string, { file, isPage }: { file: string; isPage: boolean }): string {
  if (name !== 'action' || !isPage || path.posix.basename(file).startsWith('+')) return FIXES.get(name) ?? '';
  const route = `${file.replace(/\.[cm]?[jt]sx?$/, '')}+api.ts`;
  return `Pages have no action yet: export POST from ${route} instead, which answers at the same path.`;
}
