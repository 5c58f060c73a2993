import { listRoutes } from 'appkit-build';
import type { RouteList } from 'appkit-build';
import { formatBytes } from '../report/size.ts';
import { formatTable } from '../report/table.ts';
import { projectRoot } from './project-root.ts';
import { toKind } from '../report/middleware.ts';

/** The options of `appkit routes`, as commander reads them. */
export interface RoutesFlags {
  json?: boolean;
}

/** Prints the routes of an app: a table, or JSON for other programs. */
export async function routesCommand(directory: string, { json = false }: RoutesFlags): Promise<void> {
  const list = await listRoutes({ projectRoot: projectRoot(directory) });
  console.log(json ? JSON.stringify(list, undefined, 2) : formatRoutes(list));
}

function formatRoutes(list: RouteList): string {
  const { pages = [], routes, middleware = [], jobs = [], redirects = [], rewrites = [] } = list;
  if (pages.length + routes.length + middleware.length + jobs.length + redirects.length + rewrites.length === 0)
    return 'There are no routes. Create a first one: app/hello+api.ts, which exports GET.';

  const rows = pages.map(({ pattern, file }) => [pattern, 'page', file, '']);
  for (const { pattern, methods, file, bytes } of routes)
    rows.push([pattern, methods.join(' '), file, formatBytes(bytes)]);
  for (const { role, pattern, file, bytes } of middleware) rows.push([pattern, toKind(role), file, formatBytes(bytes)]);
  for (const { name, file, bytes } of jobs) rows.push([name, 'job', file, formatBytes(bytes)]);
  for (const { source, destination, methods = [], permanent = false } of redirects)
    rows.push([source, methods.join(' '), `${permanent ? 308 : 307} ${destination}`, '']);
  for (const { source, destination, methods = [] } of rewrites)
    rows.push([source, methods.join(' '), `as ${destination}`, '']);
  return formatTable(
    [{ heading: 'URL' }, { heading: 'Methods' }, { heading: 'File' }, { heading: 'Size', alignRight: true }],
    rows,
  );
}
