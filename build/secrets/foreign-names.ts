import path from 'node:path';

import type { Problem } from '../problem.ts';

const LOADER = 'Export loader(request, params) instead, and read what it returns with useLoaderData().';
const PARAMS = 'Export generateStaticParams instead, which returns the parameters of each page.';

/** The server exports of other frameworks' pages, and what to write here. */
const FIXES = new Map([
  ['action', 'Move it to a page, which receives its own forms.'],
  ['getServerSideProps', LOADER],
  ['getServerData', LOADER],
  ['getStaticProps', `${LOADER} With web.output "static" it runs once, at the export.`],
  ['getStaticPaths', PARAMS],
  ['generateMetadata', 'Render <title> and <meta> in the component instead: they get into the head from there.'],
  ['middleware', 'Write it as +middleware.ts at the top of the routes folder.'],
]);

/** The names that mark server code in other frameworks. */
export const FOREIGN_NAMES: readonly string[] = [...FIXES.keys()];

/** Whether a name means nothing where it is exported. Pages have an action. */
export function isForeign(name: string, file: string): boolean {
  const isPage = !/^(?:_layout$|\+)/.test(path.basename(file).replace(/\.[cm]?[jt]sx?$/, ''));
  return FOREIGN_NAMES.includes(name) && !(name === 'action' && isPage);
}

/**
 * Reports that one of {@link FOREIGN_NAMES} would be in the client, and what to write instead.
 *
 * @param place – `specifier`: the module that exports it instead.
 */
export function toForeignProblem(
  name: string,
  { specifier, ...place }: Pick<Problem, 'file' | 'line' | 'column'> & { specifier?: string },
): Problem {
  const by = specifier === undefined ? '' : ` by export * from '${specifier}'`;
  const message = `It exports ${name}${by}, which means nothing here: nothing calls it, and the client would get it with everything that it imports.`;
  return { ...place, message, fix: FIXES.get(name) ?? '' };
}
