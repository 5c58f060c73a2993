import { expect, it } from 'vitest';
import { messageOf } from './message-of.ts';

it.each([
  ['an error', new Error('wrong'), 'wrong'],
  [
    'its causes',
    new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }),
    'fetch failed: read ECONNRESET',
  ],
  ['a text', 'wrong', "'wrong'"],
  ['nothing', undefined, 'undefined'],
  [
    'what has no primitive form',
    Object.assign(Object.create(null), { code: 1 }),
    '[Object: null prototype] { code: 1 }',
  ],
  ['what has only a message', Object.assign(Object.create(null), { message: 'wrong' }), 'wrong'],
])('gives the message of %s', (_, thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
