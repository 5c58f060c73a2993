import { randomUUID } from 'node:crypto';
import type { Server } from './server.ts';

/** A name that no other behaviour uses. */
export function uniqueId(): string {
  return randomUUID();
}

/** Resolves with the value of an event once the server has recorded it. */
export async function signalled(server: Server, name: string): Promise<string> {
  const response = await server.fetch(`/signals/${name}`);
  return ((await response.json()) as { value: string }).value;
}

/** The value of an event now, null while it has not been recorded. */
export async function signalNow(server: Server, name: string): Promise<string | null> {
  const response = await server.fetch(`/signals/${name}`, { method: 'OPTIONS' });
  return ((await response.json()) as { value: string | null }).value;
}

/** Records an event, which lets the request that waits for it go on. */
export async function release(server: Server, name: string): Promise<void> {
  await server.fetch(`/signals/${name}`, { method: 'PUT' });
}

/**
 * Waits until a repeatedly read number stays the same over many exchanges with the server, and returns it.
 *
 * @param limit – stops there: the number is not going to stay bounded.
 */
export async function settled(read: () => Promise<number>, limit: number): Promise<number> {
  const enough = 50;
  let last = -1;
  for (let same = 0; same < enough && last < limit;) {
    const value = await read();
    same = value === last ? same + 1 : 0;
    last = value;
  }
  return last;
}
