/** A server that the command asks: one that somebody else has started, or one that it starts itself. */
export interface TestedServer {
  /** Its URL, with the path at which the fixture is mounted. */
  url: URL;
  /** How the process has ended; null when it runs on for that time, and always for one that somebody else has started. */
  end(withinMs: number): Promise<string | null>;
  /** Starts the server again, in place of one that has ended or hangs. Absent for one that somebody else has started. */
  restart?(): Promise<void>;
  /** Ends what was started. */
  stop(): Promise<void>;
}

/**
 * Asks the server for the first path of the fixture.
 *
 * @returns null when it answers as the fixture does, otherwise what it did.
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
