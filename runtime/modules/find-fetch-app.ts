import type { FetchContext } from '../request/fetch-context.ts';

/** Answers a request, as the `fetch` of Workers, Bun and most frameworks does. */
export type FetchFunction = (request: Request, context: FetchContext) => Response | Promise<Response>;

/** Code that answers requests: a framework's server, or your own. */
export interface FetchApp {
  fetch: FetchFunction;
}

/** Finds the object with `fetch` among the exports of a module: `export function fetch`, or that of its default export. */
export function findFetchApp(module: unknown): FetchApp | undefined {
  for (let at = module, depth = 0; isRecord(at) && depth < 3; at = at['default'], depth++) {
    if (typeof at['fetch'] === 'function') return at as unknown as FetchApp;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}
