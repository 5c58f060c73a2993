/** A connected client of Redis or Valkey: from `ioredis`, or from `redis` (`@redis/client`). */
export type RedisClient = IoredisClient | NodeRedisClient;

/** What we use of an `ioredis` client. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** What we use of a `redis` client. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
}

/** Sends a command. */
export type Send = (command: string, ...args: string[]) => Promise<unknown>;

/** How long a failed server is left alone, in milliseconds: otherwise each request would wait for it again. */
const PAUSE_MS = 1000;

/**
 * Creates a function that sends commands and limits the wait for an answer: clients hold commands back while they
 * reconnect.
 *
 * @param timeoutMs – how long an answer may take, in milliseconds.
 */
export function createSend(client: RedisClient, timeoutMs: number): Send {
  const send: Send =
    'call' in client ? (...command) => client.call(...command) : (...command) => client.sendCommand(command);
  let pausedUntilMs = 0;
  return async (...command) => {
    if (Date.now() < pausedUntilMs) throw new Error('Redis failed a moment ago.');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`Redis did not answer within ${timeoutMs} ms.`));
      // If this process was busy for so long, the answer may have arrived without being read yet.
      timer = setTimeout(() => setImmediate(fail), timeoutMs);
    });
    try {
      return await Promise.race([send(...command), late]);
    } catch (error) {
      pausedUntilMs = Date.now() + PAUSE_MS;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
