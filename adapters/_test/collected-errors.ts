import { AsyncLocalStorage } from 'node:async_hooks';

/** The errors that an app reports, kept until a call in the test throws them. */
export interface CollectedErrors {
  /** The hook of the app. */
  add(error: unknown): void;
  /** Answers a request. If the answer is a 500, rejects with the error reported for it. */
  during(answer: () => Response | Promise<Response>): Promise<Response>;
  /** Throws the errors that no call has thrown yet: those from tasks, and from parts of a page. */
  throwRest(): void;
}

/** Collects errors so that none goes unnoticed in a passing test. */
export function collectErrors(): CollectedErrors {
  const requests = new AsyncLocalStorage<{ errors: unknown[] | undefined }>();
  let rest: unknown[] = [];
  return {
    add(error) {
      // The stack is formatted when it is first read: reading it now maps its lines to the sources while these are
      // still running.
      if (error instanceof Error) void error.stack;
      (requests.getStore()?.errors ?? rest).push(error);
    },
    async during(answer) {
      const request: { errors: unknown[] | undefined } = { errors: [] };
      const response = await requests.run(request, answer);
      const { errors = [] } = request;
      // Tasks go on, but this request is no longer awaited.
      request.errors = undefined;
      if (response.status === 500 && errors.length > 0) throw toOne(errors);
      rest.push(...errors);
      return response;
    },
    throwRest() {
      const errors = rest;
      rest = [];
      if (errors.length > 0) throw toOne(errors);
    },
  };
}

function toOne(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  return new AggregateError(errors, `The app has reported ${errors.length} errors: ${errors.map(String).join(' · ')}`);
}
