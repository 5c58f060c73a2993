/** A server under test: one that is already running, or one that the command starts itself. */
export interface TestedServer {
  /** Its URL, with the path at which the fixture is mounted. */
  url: URL;
  /**
   * How the process has ended; null when it keeps running for that time, and always for a server that was already
   * running.
   */
  end(withinMs: number): Promise<string | null>;
  /** Starts the server again, in place of one that has ended or hangs. Absent for a server that was already running. */
  restart?(): Promise<void>;
  /** Ends what was started. */
  stop(): Promise<void>;
}

/**
 * Requests the fixture's first path.
 *
 * @returns null when the server answers like the fixture, otherwise what it did.
 */
export async function askForHello(url: URL, limitMs: number): Promise<string | null> {
  const hello = `${url.href.replace(/\/$/, '')}/hello`;
  try {
    const response = await fetch(hello, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
    const text = await response.text();
    if (response.status !== 200) return `GET ${hello} answered ${response.status}`;
    return text === '{"hello":"world"}' ? null : `GET ${hello} answered ${JSON.stringify(text.slice(0, 100))}`;
  } catch (error) {
    const { message, cause } = error as Error; // fetch throws no other
    return `GET ${hello} failed: ${cause instanceof Error ? cause.message : message}`;
  }
}
