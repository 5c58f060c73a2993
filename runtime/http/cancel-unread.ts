/** A stream, or what reads one. */
type Cancellable = Pick<ReadableStream, 'cancel'>;

/**
 * Cancels a body that nobody reads on, after the current turn of the event loop. If a stream of `Readable.toWeb()` is cancelled in the turn in
 * which it was made or read, Node 24 and Deno 2.9 still pass on what the source holds. That throws where nobody can catch it, and ends the process.
 */
export async function cancelUnread(source: Cancellable, reason?: unknown): Promise<void> {
  if (!isWorker()) await new Promise<void>((resume) => void setTimeout(resume));
  await source.cancel(reason);
}

/** Ends a Response that is not sent: otherwise its source would continue. */
export function cancelBody({ body }: Response): void {
  if (body && !body.locked) cancelUnread(body).catch(() => undefined);
}

/** Cloudflare's runtime has no such fault, and no turn after the answer. */
function isWorker(): boolean {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers';
}
