import { AsyncLocalStorage } from 'node:async_hooks';
import { StatusError } from 'appkit-server';
import { expect, it, vi } from 'vitest';
import { createErrorTeller } from './error-teller.ts';

const STORE = Symbol.for('appkit.requestContext');

it('tells the server about each failed part, even if the client receives the error and nothing is reported', () => {
  const context = { reportError: vi.fn(), noteFailure: vi.fn() };
  const shared = globalThis as { [STORE]?: AsyncLocalStorage<unknown> };
  const store = (shared[STORE] ??= new AsyncLocalStorage());
  const teller = store.run(context, () => createErrorTeller({}));
  const error = new Error('unexpected');
  for (const failed of [new StatusError(404), error, error]) teller.report(failed);
  expect(context.noteFailure).toHaveBeenCalledTimes(3);
  expect(context.reportError.mock.calls).toEqual([[error]]);
});
