import type { Stats } from 'node:fs';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import send from 'send';
import { type Encoding, PRECOMPRESSED } from './accept-encoding.ts';
import { parseByteRange } from './byte-range.ts';
import { isContentHashed } from './cache-lifetime.ts';

/** The file to send, which has been found to exist. */
export interface FileToSend {
  /** The folder of static files. */
  root: string;
  /** The file below `root`, as decoded segments. */
  file: readonly string[];
  /** Send the file that stands beside it in this coding instead. */
  encoding?: Encoding;
}

/** Sends a file with its validators: conditional requests, ranges and caching are answered as RFC 9110 has them. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { root, file, encoding }: FileToSend,
): void {
  const name = file.at(-1) ?? '';
  const urlPath = file.map(encodeURIComponent).join('/') + (encoding ? PRECOMPRESSED[encoding] : '');
  const isHashed = isContentHashed(name);

  const stream = send(request, urlPath, {
    root,
    index: false,
    dotfiles: 'allow', // parseStaticPath has refused all but .well-known
    maxAge: isHashed ? '365d' : 0,
    immutable: isHashed,
  });
  stream.on('file', (_path: string, { size }: Stats) => {
    // `send` answers 416 to a range that is to be ignored, and to a suffix longer than the file. On HEAD a range means
    // nothing (RFC 9110 section 14.2).
    const range = request.method === 'GET' && parseByteRange(request.headers.range ?? '', size);
    if (range) request.headers.range = range;
    else delete request.headers.range;
  });
  stream.on('headers', () => {
    stream.type(name); // the type of the original, not that of a .gz
    if (encoding) response.setHeader('content-encoding', encoding);
  });
  stream.on('error', (error: unknown) => answerError(response, error));
  stream.pipe(response);
}

// A page of HTML is what `send` would answer. The runtime's errors are plain text, so these are too.
function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy(); // the file broke off: a client must not take what it has for the whole
    return;
  }
  const { status, headers } = error as { status: number; headers?: Record<string, string> }; // made by http-errors
  for (const header of ['content-encoding', 'etag', 'last-modified', 'cache-control']) response.removeHeader(header);
  const text = STATUS_CODES[status] ?? '';
  response.writeHead(status, { ...headers, 'content-type': 'text/plain', 'content-length': text.length }).end(text);
}
