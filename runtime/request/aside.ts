import { AsyncLocalStorage } from 'node:async_hooks';
import { headerReadsOf } from './header-reads.ts';

let asides: AsyncLocalStorage<true> | undefined;

/** Runs code that no answer is made of, such as a task or a hook: it may look at all headers of a request, also afterwards. */
export function aside<Result>(request: Request, run: () => Result): Result {
  return headerReadsOf(request) ? (asides ??= new AsyncLocalStorage<true>()).run(true, run) : run();
}

/** Whether code of that kind is running. */
export function isAside(): boolean {
  return asides?.getStore() ?? false;
}
