import { AsyncLocalStorage } from 'node:async_hooks';

/** The errors that an app reports, kept until a call of the test throws them. */
export interface CollectedErrors {
  /** The hook of the app. */
  add(error: unknown): void;
  /** Answers a request. Rejects with what it has reported when the answer is a 500. */
  during(answer: () => Response | Promise<Response>): Promise<Response>;
  /** Throws the errors that no call has thrown yet: those of tasks, and of parts of a page. */
  throwRest(): void;
}

/** Collects errors so that none passes a test unnoticed. */
export function collectErrors(): CollectedErrors {
  const requests = new AsyncLocalStorage<{ errors: unknown[] | undefined }>();
  let rest: unknown[] = [];
  return {
    add(error) {
      // It is written when it is first read: with the lines of the sources, as long as these run.
      if (error instanceof Error) void error.stack;
      (requests.getStore()?.errors ?? rest).push(error);
    },
    async during(answer) {
      const request: { errors: unknown[] | undefined } = { errors: [] };
      const response = await requests.run(request, answer);
      const { errors = [] } = request;
      // Tasks go on, and nobody awaits this request any more.
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
