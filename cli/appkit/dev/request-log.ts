import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reporter } from './report.ts';

/** Paths of the development server itself. */
const OWN = '/_appkit/dev/';

/** Prints a line for a request when its answer has ended: method, path, status and time. Queries may hold secrets, and are left out. */
export function logRequest(request: IncomingMessage, response: ServerResponse, reporter: Reporter): void {
  const startedAt = performance.now();
  // Vite's middleware changes the URL.
  const [path = ''] = (request.url ?? '').split('?', 1);
  if (path.startsWith(OWN)) return;
  response.once('close', () => {
    const end = response.writableFinished ? '' : ', the client left';
    reporter.line(`${request.method} ${path} ${response.statusCode}${end}`, performance.now() - startedAt);
  });
}
