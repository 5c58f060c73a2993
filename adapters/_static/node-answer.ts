import { whenDrained } from '../_http/when-drained.ts';
import { refuse } from './decide.ts';
import { readPart } from './open-file.ts';
import type { Opened } from './open-file.ts';

/** What is read of a request of `node:http`, or of Express. */
export interface StaticRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The whole target, where a framework has cut `url` at the path that it is mounted at. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What is called of a response of `node:http`, or of Express. */
export interface StaticResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  setHeader(name: string, value: string): unknown;
  appendHeader(name: string, value: string): unknown;
  write(chunk: Uint8Array): boolean;
  end(chunk?: string): unknown;
  destroy(): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
  off(event: 'close' | 'drain', listener: () => void): unknown;
}

/** Sends an answer by a response of Node. */
export async function sendToNode(opening: Promise<Opened>, response: StaticResponse, method: string): Promise<void> {
  const { decision, handle } = await opening;
  if (!handle || !decision.part) {
    writeHead(response, decision);
    response.end(method === 'HEAD' ? undefined : decision.text);
    return;
  }
  try {
    let hasBegun = false;
    for await (const chunk of readPart(handle, decision.part)) {
      if (response.destroyed) return;
      // Not before the first chunk is there: a disk that fails is answered with 500 till then.
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

/** Answers 500, or breaks off an answer that has begun: a client must not take what it has for the whole. */
export function failOnNode(response: StaticResponse): void {
  if (response.headersSent) response.destroy();
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
    // What is before this may vary its answers too, by Origin for one.
    if (name === 'vary') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}
