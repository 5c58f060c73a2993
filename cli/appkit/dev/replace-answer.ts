import type { ServerResponse } from 'node:http';
import type { ErrorAnswer } from './error-answer.ts';

/** What the runtime answers when a route fails. */
const PLAIN = 'Internal server error';

/**
 * Has a response say what went wrong in place of the runtime's plain 500. All else is left as it is: the headers of the
 * route, which may let another origin read the answer, and any answer that is not that one.
 *
 * @param explain – called when the plain answer is about to be sent.
 */
export function replacePlainError(response: ServerResponse, explain: () => Promise<ErrorAnswer>): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  // That it is the response's own makes the adapter set status and headers one by one, so that they can still change.
  response.writeHead = writeHead;
  response.end = ((...args: Parameters<typeof end>) => {
    if (response.headersSent || response.statusCode !== 500 || toText(args[0]) !== PLAIN) return end(...args);
    explain().then(
      ({ contentType, body }) => {
        response.setHeader('content-type', contentType);
        response.setHeader('content-length', Buffer.byteLength(body));
        response.setHeader('cache-control', 'no-store');
        end(body);
      },
      () => end(...args), // what cannot be explained has been printed all the same
    );
    return response;
  }) as typeof end;
}

function toText(body: unknown): unknown {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : body;
}
