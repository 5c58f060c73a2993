/**
 * Gives up a body that nobody reads, after the current turn of the event loop. A stream of `Readable.toWeb()` that is cancelled in the turn in which
 * a loader or a route made it ends the process on Node 24 and Deno 2.9: it still passes on what its source holds, and that throws.
 */
export async function discard(body: ReadableStream | null): Promise<void> {
  if (!body) return;
  await new Promise<void>((resume) => void setTimeout(resume));
  await body.cancel();
}
