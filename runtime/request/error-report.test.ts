import { format, inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { reportFirst, reportTo } from './error-report.ts';

const request = new Request('http://app.test/x?secret');

it('reports an error once that is then thrown again, and anything else that was thrown', () => {
  const onError = vi.fn();
  const report = reportTo(onError);
  const error = new Error('broken');
  reportFirst(report, error, request);
  report(error, request);
  reportFirst(report, 'text', request);
  expect(onError.mock.calls).toEqual([
    [error, request],
    ['text', request],
  ]);
});

it('logs an error whose hook fails, and the failure of the hook', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const [error, hookError] = [new Error('broken'), new Error('hook')];
  reportTo(() => {
    throw hookError;
  })(error, request);
  const { calls } = log.mock;
  log.mockRestore();
  expect(calls).toEqual([
    ['GET /x failed:', error],
    ['The onError hook failed while handling the error above:', hookError],
  ]);
});

it('logs an error as a whole, whatever the path contains', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const error = new Error('broken');
  reportTo()(error, new Request('http://app.test/%d0%b4/%s'));
  const printed = format(...(log.mock.calls[0] ?? []));
  log.mockRestore();
  expect(printed).toBe(`GET /%d0%b4/%s failed: ${inspect(error)}`);
});

it('starts a query that the hook returns and that runs only when it is awaited, and logs its failure', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  // oxlint-disable-next-line unicorn/no-thenable -- Such a query is one.
  const query = { then: (_: unknown, reject: (error: unknown) => void) => reject('no table') };
  const response = reportTo(() => query)(new Error('broken'), request);
  const { calls } = log.mock;
  log.mockRestore();
  expect(response).toBe(undefined);
  expect(calls[1]).toEqual(['The onError hook failed while handling the error above:', 'no table']);
});

it('prints an error that fails when it is printed', () => {
  const log = vi.spyOn(console, 'error').mockImplementation((_, { message }: Error) => {
    if (message) throw new Error('The inspect of the error failed.');
  });
  reportTo()(Object.assign(new Error('broken'), { stack: 'Error: broken\n    at here' }), request);
  const { calls } = log.mock;
  log.mockRestore();
  expect(calls.at(-1)).toEqual(['GET /x failed:', 'Error: broken\n    at here']);
});
