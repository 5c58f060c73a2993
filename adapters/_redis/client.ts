/** A client of Redis or Valkey that is connected: that of `ioredis`, or of `redis` (`@redis/client`). */
export type RedisClient = IoredisClient | NodeRedisClient;

/** What is used of the client of `ioredis`. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** What is used of the client of `redis`. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
}

/** Sends a command. */
export type Send = (command: string, ...args: string[]) => Promise<unknown>;

/** For how long a server that has failed is left alone, in milliseconds: each request would wait for it again. */
const PAUSE_MS = 1000;

/**
 * Makes what sends commands and waits for no answer longer than it may: clients hold commands back while they connect again.
 *
 * @param timeoutMs – how long an answer may take, in milliseconds.
 */
export function createSend(client: RedisClient, timeoutMs: number): Send {
  const send: Send =
    'call' in client ? (...command) => client.call(...command) : (...command) => client.sendCommand(command);
  let pausedUntilMs = 0;
  return async (...command) => {
    if (Date.now() < pausedUntilMs) throw new Error('Redis has failed a moment ago.');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`Redis did not answer within ${timeoutMs} ms.`));
      // Where this process was busy for so long, the answer may be there and not be read yet.
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
