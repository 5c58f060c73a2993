import { ServerResponse, STATUS_CODES } from 'node:http';
import { isFraming } from '../_http/framing.ts';
import type { NodeResponse } from './host-types.ts';

/**
 * Writes status and headers of a Response, beside what a framework has set already.
 *
 * @param length – of the body in bytes, where it is known; it then replaces what the route says.
 */
export function writeHead(response: Response, nodeResponse: NodeResponse, length: number | undefined): void {
  const statusText = response.statusText || (STATUS_CODES[response.status] ?? '');
  const headers = headerPairs(response, length);
  if (isUntouched(nodeResponse)) {
    nodeResponse.writeHead(response.status, statusText, headers.flat());
    return;
  }
  nodeResponse.statusCode = response.status;
  // HTTP/2 has no reason phrase: RFC 9113 section 8.3.2.
  if (nodeResponse instanceof ServerResponse) (nodeResponse as ServerResponse).statusMessage = statusText;
  for (const [name, value] of headers) {
    // HTTP/2 has no connection header, and Node throws for it: RFC 9113 section 8.2.2.
    if (name === 'set-cookie') nodeResponse.appendHeader(name, value);
    else if (nodeResponse instanceof ServerResponse || name !== 'connection') nodeResponse.setHeader(name, value);
  }
}

// What a framework or its middleware has set or patched must be heard: Express sets headers, compression patches
// writeHead to look at them.
function isUntouched(nodeResponse: NodeResponse): nodeResponse is ServerResponse {
  return (
    nodeResponse instanceof ServerResponse &&
    nodeResponse.writeHead === ServerResponse.prototype.writeHead &&
    nodeResponse.getHeaderNames().length === 0
  );
}

function headerPairs(response: Response, length: number | undefined): [string, string][] {
  const pairs: [string, string][] = [];
  // RFC 9110 section 8.6: a 204 has no Content-Length.
  const keepsLength = length === undefined && response.status !== 204;
  for (const [name, value] of response.headers) {
    if (isFraming(name) || (name === 'content-length' && !keepsLength)) continue;
    pairs.push([name, value]);
  }
  if (length !== undefined) pairs.push(['content-length', String(length)]);
  return pairs;
}
