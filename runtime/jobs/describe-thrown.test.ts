import { expect, it } from 'vitest';
import { describeThrown } from './describe-thrown.ts';

const withStack = (stack: unknown): Error =>
  Object.defineProperty(new RangeError('too far'), 'stack', { value: stack });

it('is the stack of an error, otherwise its name and message', () => {
  expect(describeThrown(withStack('RangeError: too far\n    at here'))).toBe('RangeError: too far\n    at here');
  for (const stack of ['', 5, undefined]) expect(describeThrown(withStack(stack))).toBe('RangeError: too far');
});

it.each([
  ['text', 'text'],
  [5, '5'],
  ['', 'It threw "" instead of an Error.'],
  [null, 'It threw null instead of an Error.'],
  [undefined, 'It threw undefined instead of an Error.'],
  [{ a: 1 }, 'It threw {"a":1} instead of an Error.'],
  [Object.create(null), 'A value of type object, which has no text.'],
])('says what was thrown instead of an error: %o', (thrown, text) => {
  expect(describeThrown(thrown)).toBe(text);
});
