import { createStatusError } from './status-error.ts';

/**
 * Ends a loader: the page is not found. The visitor gets the nearest `+not-found` with status 404, in a document and
 * after a link.
 *
 * @throws always: a `StatusError` of appkit-server with status 404.
 */
export function notFound(): never {
  throw createStatusError(404, 'Not found');
}
