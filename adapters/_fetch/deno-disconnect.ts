/**
 * Recognises the error of a body in Deno whose client has left, or has sent a malformed chunk. Deno 2.9 aborts no signal
 * when an upload breaks off, or only after the read has failed. Its messages differ by how the body was read, and by how
 * the connection ended.
 */
export function isDenoDisconnect(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(BadResource: Cannot read (request )?body|Http: unexpected EOF|Error: invalid HTTP\/1 request)/.test(
      `${error.name}: ${error.message}`,
    )
  );
}
