import path from 'node:path';

export * from './order.ts';

/** What a route has been told, by a module that imports one outside the app and re-exports one of its own. */
const visits = new Set<string>();

export function visit(id: string): void {
  visits.add(path.posix.basename(id));
}

export function isVisited(id: string): boolean {
  return visits.has(path.posix.basename(id));
}
