import { collectGarbage } from './collect-garbage.ts';

const answered: WeakRef<Request>[] = [];

/** Listens to the signal of a request by a function that refers to the request, as code does that reports who has left. */
export function listenFor(request: Request): void {
  request.signal.addEventListener('abort', () => console.log(`The client of ${request.url} has left.`));
  answered.push(new WeakRef(request));
}

/** How many of the requests are still in memory. */
export async function countKept(): Promise<{ kept: number; answered: number }> {
  const kept = (): number => answered.filter((request) => request.deref() !== undefined).length;
  // What a collection finds to be unreachable may be collected by the next.
  for (let round = 0; round < 10 && kept() > 1; round++) await collectGarbage();
  return { kept: kept(), answered: answered.length };
}
