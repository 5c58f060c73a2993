import { expect, it, vi } from 'vitest';

import { createErrorTeller } from './error-teller.ts';
import { readLoaded, writeLoaded } from './loaded-text.ts';
import type { WrittenLoaded } from './loaded-text.ts';
import type { Loaded } from './run-loaders.ts';
import { createStatusError, isStatusError } from './status-error.ts';

const onError = vi.fn<(error: unknown) => void>();
const write = (loaded: Partial<Loaded>): Promise<WrittenLoaded> =>
  writeLoaded(
    { data: [], headers: [], ...loaded },
    { pattern: '/page', errors: createErrorTeller({ onError, tellsErrors: true }) },
  );
const pass = async (loaded: Partial<Loaded>): Promise<ReturnType<typeof readLoaded>> =>
  readLoaded((await write(loaded)).lines);
const reasonOf = (promise: unknown): Promise<unknown> =>
  (promise as Promise<unknown>).then(
    () => undefined,
    (error: unknown) => error,
  );

it('passes on data, headers, a status, and what an action has returned', async () => {
  const given = { data: [{ at: new Date(0) }, undefined], headers: [['set-cookie', 'a=1']] as [string, string][] };
  const { loaded } = await pass({ ...given, status: 202, actionData: new Set(['acted']) });
  expect(loaded).toEqual({ ...given, status: 202, actionData: new Set(['acted']) });
});

it('passes on promises, whatever order they settle in', async () => {
  const slow = Promise.withResolvers<string>();
  const { loaded } = await pass({ data: [slow.promise, Promise.resolve({ later: Promise.resolve('inner') })] });
  const [first, second] = loaded.data as [Promise<string>, Promise<{ later: Promise<string> }>];
  expect(await (await second).later).toBe('inner');
  slow.resolve('slow');
  expect(await first).toBe('slow');
});

it.each(['of a loader', 'of a promise'])('keeps an error what it is: %s', async (place) => {
  for (const error of [createStatusError(418, 'a teapot'), new TypeError('unexpected')]) {
    const isOfPromise = place === 'of a promise';
    const { loaded, errors } = await pass(
      isOfPromise ? { data: [Promise.reject(error)] } : { data: [], failure: { level: 2, error } },
    );
    const got = isOfPromise ? await reasonOf(loaded.data[0]) : loaded.failure?.error;
    expect(got).toMatchObject({ message: error.message });
    expect([isStatusError(got), (got as { status?: unknown }).status]).toEqual(
      isStatusError(error) ? [true, 418] : [false, undefined],
    );
    expect(errors.has(got as object)).toBe(true);
  }
});

it('reports an error where it was thrown', async () => {
  onError.mockClear();
  const error = new TypeError('unexpected');
  const { loaded } = await pass({ data: [Promise.reject(error)] });
  await reasonOf(loaded.data[0]);
  expect(onError.mock.calls).toEqual([[error]]);
});

it('fails with what cannot be written', async () => {
  const { lines, failure } = await write({ data: ['first', { save: () => undefined }] });
  expect(failure).toMatchObject({ level: 0, error: { code: 'ERR_DATA_INVALID' } });
  expect(readLoaded(lines).loaded).toMatchObject({ data: [], failure: { level: 0 } });
});

it('knows the error when the lines end early: nobody has to be told', async () => {
  const { lines } = await write({ data: [new Promise(() => undefined)] });
  const left = new Error('Premature close');
  const { loaded, errors } = readLoaded({
    first: lines.first,
    // oxlint-disable-next-line require-yield -- it ends before its first line
    rest: (async function* () {
      throw left;
    })(),
  });
  expect(await reasonOf(loaded.data[0])).toBe(left);
  expect(errors.has(left)).toBe(true);
});
