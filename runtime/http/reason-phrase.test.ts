import { STATUS_CODES } from 'node:http';
import { expect, it } from 'vitest';
import { reasonPhrase } from './reason-phrase.ts';

it('knows the phrase of every registered final status', () => {
  // RFC 9110 renamed two phrases that Node.js still has. Neither 418 nor 509 is registered.
  const registered: Record<string, string | undefined> = {
    ...STATUS_CODES,
    413: 'Content Too Large',
    422: 'Unprocessable Content',
    418: undefined,
    509: undefined,
  };
  const final = Object.entries(registered).filter(([status, phrase]) => Number(status) >= 200 && phrase !== undefined);
  expect(final.length).toBeGreaterThan(50);
  expect(Object.fromEntries(final.map(([status]) => [status, reasonPhrase(Number(status))]))).toEqual(
    Object.fromEntries(final),
  );
});

it('has the phrase of its class for any other final status, and none outside of the classes', () => {
  expect([299, 399, 418, 499, 509, 599].map((status) => reasonPhrase(status))).toEqual([
    'OK',
    'Multiple Choices',
    'Bad Request',
    'Bad Request',
    'Internal Server Error',
    'Internal Server Error',
  ]);
  expect([0, 100, 600].map((status) => reasonPhrase(status))).toEqual(['', '', '']);
});
