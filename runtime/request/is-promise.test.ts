import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isPromise } from './is-promise.ts';

// oxlint-disable-next-line unicorn/no-thenable -- it is about them
const thenable = { then() {} };

it('is whatever can be awaited, of any realm', () => {
  const promises = [
    Promise.resolve(),
    runInNewContext('Promise.resolve()'),
    thenable,
    Object.assign(() => {}, thenable),
  ];
  expect(promises.map(isPromise)).toEqual([true, true, true, true]);
});

it('is nothing else', () => {
  expect([undefined, null, 5, 'then', {}, () => {}].map(isPromise)).toEqual(Array(6).fill(false));
});
