import { expect, it } from 'vitest';
import { toServerLimits, toSource } from './options.ts';

it('trusts no proxy and accepts bodies up to 128 MiB by default', () => {
  expect(toServerLimits({})).toEqual({ proxies: 0, maxRequestBodySize: 134_217_728 });
});

it.each([
  [true, 1],
  [false, 0],
  [0, 0],
  [3, 3],
])('reads trustProxy %s as %s proxies', (trustProxy, proxies) => {
  expect(toServerLimits({ trustProxy }).proxies).toBe(proxies);
});

it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 'yes'])('refuses trustProxy %s', (trustProxy) => {
  expect(() => toServerLimits({ trustProxy: trustProxy as number })).toThrow(
    expect.objectContaining({
      code: 'ERR_OPTION_INVALID',
      message: `The option trustProxy is ${trustProxy}. Give true, false or the number of proxies.`,
    }),
  );
});

it.each([0, 1, Number.POSITIVE_INFINITY])('accepts bodies of up to %s bytes', (maxRequestBodySize) => {
  expect(toServerLimits({ maxRequestBodySize }).maxRequestBodySize).toBe(maxRequestBodySize);
});

it.each([-1, Number.NaN])('refuses maxRequestBodySize %s', (maxRequestBodySize) => {
  expect(() => toServerLimits({ maxRequestBodySize })).toThrow(
    expect.objectContaining({
      code: 'ERR_OPTION_INVALID',
      message: `The option maxRequestBodySize is ${maxRequestBodySize}. Give a number of bytes, or Infinity for no limit.`,
    }),
  );
});

it('refuses neither and both of build and fetch', () => {
  const refused = expect.objectContaining({ code: 'ERR_OPTION_INVALID' });
  expect(() => toSource({})).toThrow(refused);
  expect(() => toSource({ build: 'dist/server', fetch: () => new Response() })).toThrow(refused);
});
