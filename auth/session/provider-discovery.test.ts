import { afterEach, expect, it, vi } from 'vitest';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { discoveryOf } from './provider-discovery.ts';
import type { Settings } from './session-server-options.ts';

afterEach(() => void vi.useRealTimers());

it('fetches a document once per hour, and keeps the previous one for a minute when that fails', async () => {
  await using server = await startAnsweringServer();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000_000 });
  let fetched = 0;
  const answerWith = (status: number): void => {
    server.answer = (request, response) => {
      fetched += 1;
      json(status, { issuer: server.origin, version: fetched })(request, response);
    };
  };
  const settings = { issuer: server.origin } as Settings; // the only one that is read
  const after = async (seconds: number): Promise<[version: unknown, fetched: number]> => {
    vi.setSystemTime(Date.now() + seconds * 1000);
    const { discoveryDocument } = await discoveryOf(settings);
    return [discoveryDocument?.['version'], fetched];
  };
  answerWith(500);
  await expect(discoveryOf(settings)).rejects.toMatchObject({ code: 'invalid_response' });
  answerWith(200);
  expect(await after(0)).toEqual([2, 2]);
  expect(await after(3599)).toEqual([2, 2]);
  expect(await after(1)).toEqual([3, 3]);
  answerWith(500);
  expect(await after(3600)).toEqual([3, 4]);
  expect(await after(59)).toEqual([3, 4]);
  expect(await after(1)).toEqual([3, 5]);
  answerWith(200);
  expect(await after(60)).toEqual([6, 6]);
});

it('fetches the next document once for requests that come together: all but one use the previous one', async () => {
  await using server = await startAnsweringServer();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000_000 });
  let fetched = 0;
  server.answer = (request, response) => {
    fetched += 1;
    json(200, { issuer: server.origin, version: fetched })(request, response);
  };
  const settings = { issuer: server.origin } as Settings; // the only one that is read
  await discoveryOf(settings);
  vi.setSystemTime(Date.now() + 3600_000);
  const documents = await Promise.all([1, 2, 3, 4].map(() => discoveryOf(settings)));
  expect(documents.map(({ discoveryDocument }) => discoveryDocument?.['version'])).toEqual([2, 1, 1, 1]);
  expect([(await discoveryOf(settings)).discoveryDocument?.['version'], fetched]).toEqual([2, 2]);
});
