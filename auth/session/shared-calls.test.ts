import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { TokenResponse } from './token-response.ts';

let server: AnsweringServer;
let asked: number;
/** Lets the server answer. */
let answer: () => void;
/** The server has a request. */
let arrived: Promise<void>;

beforeAll(async () => {
  server = await startAnsweringServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  asked = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: hasArrived, resolve: arrive } = Promise.withResolvers<void>();
  answer = resolve;
  arrived = hasArrived;
  server.answer = async (request, response) => {
    asked += 1;
    arrive();
    await promise;
    json(200, { access_token: `token ${asked}`, refresh_token: 'next' })(request, response);
  };
});

const client = { clientId: 'client' };
const discovery = (): { tokenEndpoint: string } => ({ tokenEndpoint: `${server.origin}/token` });

it('ends the wait only for the caller that cancels a refresh', async () => {
  const tokens = new TokenResponse({ accessToken: 'old', refreshToken: 'r' });
  const mine = new AbortController();
  const cancelled = tokens.refreshAsync(client, discovery(), { signal: mine.signal });
  const other = tokens.refreshAsync(client, discovery());
  await arrived;
  mine.abort(new Error('this page is gone'));
  await expect(cancelled).rejects.toThrow('this page is gone');
  answer();
  expect(await other).toBe(tokens);
  expect(tokens).toMatchObject({ accessToken: 'token 1', refreshToken: 'next' });
  expect(asked).toBe(1);
});

it('keeps the tokens of a refresh that all callers have cancelled, since its refresh token is used up', async () => {
  const tokens = new TokenResponse({ accessToken: 'old', refreshToken: 'r' });
  const call = tokens.refreshAsync(client, discovery(), { signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  answer();
  await tokens.refreshAsync(client, discovery());
  expect(tokens).toMatchObject({ accessToken: 'token 1', refreshToken: 'next' });
  expect(asked).toBe(1);
});

it('sends a code once for all callers that exchange it, even if some cancel', async () => {
  const request = new AuthRequest({ ...client, redirectUri: 'https://app.example/callback' });
  const result = { params: { code: 'c' } };
  const gone = new AbortController();
  const cancelled = request.exchangeAsync(result, discovery(), { signal: gone.signal });
  const others = [request.exchangeAsync(result, discovery()), request.exchangeAsync(result, discovery())];
  await arrived;
  gone.abort();
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  answer();
  const [first, second] = await Promise.all(others);
  expect(first).toBe(second);
  expect(await request.exchangeAsync(result, discovery())).toBe(first);
  expect(asked).toBe(1);
});

it('sends a code again when the exchange has failed', async () => {
  const request = new AuthRequest({ ...client, redirectUri: 'https://app.example/callback' });
  const { answer: honest } = server;
  server.answer = json(503, {});
  const exchange = (): Promise<TokenResponse> => request.exchangeAsync({ params: { code: 'c' } }, discovery());
  await expect(exchange()).rejects.toMatchObject({ code: 'invalid_response' });
  server.answer = honest;
  answer();
  expect(await exchange()).toMatchObject({ accessToken: 'token 1' });
});
