import type { Method } from 'appkit-server/manifest';

import type { Problem } from '../problem.ts';
import { toPatternKey } from './route-path.ts';

/** The methods that a page answers. A route at its path never receives them. */
const OF_PAGES: readonly Method[] = ['GET', 'HEAD'];
const OF_ACTIONS: readonly Method[] = ['GET', 'POST', 'HEAD'];

/** Finds pages whose path a route would answer for the same method. Each problem belongs to the page and names both. */
export function findPageClashes(
  pages: readonly { file: string; pattern: string }[],
  {
    routes,
    actions,
  }: {
    routes: readonly { file: string; pattern: string; methods: readonly Method[] }[];
    /** The pages that have an action. */
    actions: ReadonlySet<string>;
  },
): Problem[] {
  const byKey = new Map(routes.map((route) => [toPatternKey(route.pattern), route]));
  return pages.flatMap(({ file, pattern }): Problem[] => {
    const route = byKey.get(toPatternKey(pattern));
    const methods = (actions.has(file) ? OF_ACTIONS : OF_PAGES).filter((method) => route?.methods.includes(method));
    if (!route || methods.length === 0) return [];
    const message = `It is the page of ${pattern}, and ${route.file} exports ${methods.join(' and ')} for the same path.`;
    const fix =
      'Keep one of the two, or move one to another path. The data of a page comes from its loader, and its action answers POST. A route may answer the other methods of the path.';
    return [{ file, message, fix }];
  });
}
