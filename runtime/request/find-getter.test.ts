import { expect, it } from 'vitest';
import { findGetter } from './find-getter.ts';

it('finds a getter of the object, its class or a class above', () => {
  class Own extends Response {}
  const response = new Own('x', { status: 201 });
  expect(Reflect.apply(findGetter(response, 'status'), response, [])).toBe(201);
  Object.defineProperty(response, 'status', { get: () => 299 });
  expect(Reflect.apply(findGetter(response, 'status'), response, [])).toBe(299);
});

it('says what it was given instead', () => {
  expect(() => findGetter(new Map(), 'headers')).toThrow(
    '[object Map] has no headers. Give the handler a Request, and return a Response.',
  );
});
