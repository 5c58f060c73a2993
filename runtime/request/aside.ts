import { AsyncLocalStorage } from 'node:async_hooks';
import { headerReadsOf } from './header-reads.ts';

let asides: AsyncLocalStorage<true> | undefined;

/**
 * Runs code that the answer does not depend on, such as a task or a hook: it may read all headers of a request, even
 * later.
 */
export function aside<Result>(request: Request, run: () => Result): Result {
  return headerReadsOf(request) ? (asides ??= new AsyncLocalStorage<true>()).run(true, run) : run();
}

/** Whether code of that kind is running. */
export function isAside(): boolean {
  return asides?.getStore() ?? false;
}
