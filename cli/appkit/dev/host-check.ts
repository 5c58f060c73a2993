import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/**
 * Checks by the Host header whether a request was meant for this server. Another site can make its own name point to
 * this machine (DNS rebinding), and its pages could then read the server's answers.
 *
 * @param header – the Host header as it came.
 * @param host – the name or address the server was told to listen on.
 */
export function isAllowedHost(header: string | undefined, host: string): boolean {
  const name = hostnameOf(header);
  if (name === undefined) return false;
  if (name === 'localhost' || name.endsWith('.localhost') || name === host.toLowerCase()) return true;
  if (isIP(name) === 0) return false;
  // An address cannot be made to point elsewhere, so any address is allowed if the server listens on all of them.
  return isLoopback(name) || host === '0.0.0.0' || host === '::';
}

/** Answers a request that was not meant for this server. */
export function refuseHost({ headers }: IncomingMessage, response: ServerResponse): void {
  const text = `The host ${headers.host ?? '(none)'} is not one that this server answers to. Start it with --host to add one.\n`;
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function hostnameOf(header: string | undefined): string | undefined {
  if (header === undefined || /[/?#@\\\s]/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  return new URL(`http://${header}`).hostname.replace(/^\[(.*)\]$/, '$1');
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}
