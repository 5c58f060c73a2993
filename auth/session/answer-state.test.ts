import { UnsecuredJWT } from 'jose';
import { expect, it } from 'vitest';
import { answerState } from './answer-state.ts';

const signed = (claims: Record<string, unknown>): string => new UnsecuredJWT(claims).encode();

it('finds the state in an answer, and in a signed one (JARM section 2.1)', () => {
  expect(answerState({ state: 'abc' })).toBe('abc');
  expect(answerState({ response: signed({ state: 'abc' }) })).toBe('abc');
});

it.each([
  ['nothing', {}],
  ['no token', { response: 'a.b.c' }],
  ['no state', { response: signed({ code: 'c' }) }],
  ['a number as state', { response: signed({ state: 42 }) }],
])('finds none in an answer with %s', (_, params) => {
  expect(answerState(params as Record<string, string>)).toBeUndefined();
});
