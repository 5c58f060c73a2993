import { EventEmitter, on } from 'node:events';

/**
 * The names in the guestbook, the latest first. A real app keeps them in a database: a server loses its memory, and
 * several servers do not share it.
 */
const names: string[] = ['Ada', 'Grace'];
const signatures = new EventEmitter<{ signed: [name: string] }>().setMaxListeners(0);

export function readNames(): readonly string[] {
  return names;
}

export function sign(name: string): void {
  names.unshift(name);
  signatures.emit('signed', name);
}

/** Each name that is signed from now on, until the signal is aborted. */
export async function* newNames(signal: AbortSignal): AsyncGenerator<string> {
  for await (const [name] of on(signatures, 'signed', { signal })) yield name as string; // as `sign` emits it
}
