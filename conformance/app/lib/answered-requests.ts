import { collectGarbage } from './collect-garbage.ts';

const answered: WeakRef<Request>[] = [];

/**
 * Listens to the signal of a request by a function that refers to the request and to a copy of it, as code does that passes requests on
 * and reports who has left.
 */
export function listenFor(request: Request): void {
  const { url, headers, signal } = request;
  const copy = new Request(url, { headers, signal });
  signal.addEventListener('abort', () =>
    console.log(`The client of ${request.url} has left, and ${copy.url} with it.`),
  );
  watch(request);
  watch(copy);
}

/** Counts a request among those that should be gone. */
export function watch(request: Request): void {
  answered.push(new WeakRef(request));
}

/** How many of the requests are still in memory. */
export async function countKept(): Promise<{ kept: number; answered: number }> {
  const kept = (): number => answered.filter((request) => request.deref() !== undefined).length;
  // What a collection finds to be unreachable may be collected by the next.
  for (let round = 0; round < 10 && kept() > 3; round++) await collectGarbage();
  return { kept: kept(), answered: answered.length };
}
