/**
 * Recognises the error of a body in Deno whose client has left. Deno 2.9 aborts no signal when an upload breaks off.
 */
export function isDenoDisconnect(error: unknown): boolean {
  return error instanceof Error && error.name === 'BadResource' && error.message.startsWith('Cannot read body');
}
