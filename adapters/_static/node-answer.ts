import { breakOff, isGone } from '../_http/exchange.ts';
import type { Http2Stream } from '../_http/exchange.ts';
import { whenDrained } from '../_http/when-drained.ts';
import { isPromise } from '../../runtime/host.ts';
import { refuse } from './decide.ts';
import type { Decision } from './decide.ts';
import { readPart } from './open-file.ts';
import type { Opened } from './open-file.ts';

/** What we read from a request of `node:http`, `node:http2` or Express. */
export interface StaticRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The complete target, if a framework has removed its mount path from `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What we call on a response of `node:http`, `node:http2` or Express. */
export interface StaticResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  /** With `node:http2` only. */
  readonly stream?: Http2Stream;
  setHeader(name: string, value: string): unknown;
  appendHeader(name: string, value: string): unknown;
  write(chunk: Uint8Array): boolean;
  end(chunk?: string): unknown;
  destroy(): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
  off(event: 'close' | 'drain', listener: () => void): unknown;
}

/** Sends an answer with a Node response. Its promise rejects if the file cannot be read. */
export function sendToNode(
  opening: Opened | Promise<Opened>,
  response: StaticResponse,
  method: string,
): undefined | Promise<void> {
  if (isPromise(opening)) return opening.then((opened) => sendToNode(opened, response, method));
  const { decision, handle } = opening;
  if (handle && decision.part) return sendPart({ decision, handle, part: decision.part }, response);
  writeHead(response, decision);
  response.end(method === 'HEAD' ? undefined : decision.text);
  return undefined;
}

async function sendPart(
  { decision, handle, part }: Required<Opened> & { part: NonNullable<Decision['part']> },
  response: StaticResponse,
): Promise<void> {
  try {
    let hasBegun = false;
    for await (const chunk of readPart(handle, part)) {
      if (isGone(response)) return;
      // Not before the first chunk has been read: until then, a failing disk is answered with 500.
      if (!hasBegun) writeHead(response, decision);
      hasBegun = true;
      if (!response.write(chunk)) await whenDrained(response);
    }
    if (!hasBegun) writeHead(response, decision);
    response.end();
  } finally {
    await handle.close();
  }
}

/** Answers 500, or breaks off an answer that has begun: the client must not take that for complete. */
export function failOnNode(response: StaticResponse): void {
  if (response.headersSent) breakOff(response);
  else {
    const decision = refuse(500);
    writeHead(response, decision);
    response.end(decision.text);
  }
}

function writeHead(
  response: StaticResponse,
  { status, headers }: { status: number; headers: Record<string, string> },
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    // Middleware in front may vary its answers too, such as by Origin.
    if (name === 'vary') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}
