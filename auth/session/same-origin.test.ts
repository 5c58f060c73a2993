import { expect, it } from 'vitest';
import { isForPage, isFromOwnPage, isUnsafe } from './same-origin.ts';

const APP = 'https://app.example';

const request = (headers: Record<string, string>, method = 'GET'): Request => new Request(APP, { method, headers });

it.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: APP }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: APP }, false],
  [{ origin: APP }, true],
  [{ origin: 'https://evil.example' }, false],
  [{}, false],
])('says whether a request with %o comes from a page of the app: %s', (headers, expected) => {
  expect(isFromOwnPage(request(headers as Record<string, string>), APP)).toBe(expected);
});

it.each([
  ['GET', false],
  ['HEAD', false],
  ['OPTIONS', false],
  ['POST', true],
  ['PUT', true],
  ['DELETE', true],
])('says whether %s may change something: %s', (method, expected) => {
  expect(isUnsafe(request({}, method))).toBe(expected);
});

it.each([
  [{ 'sec-fetch-mode': 'navigate' }, 'GET', true],
  [{ 'sec-fetch-mode': 'navigate' }, 'HEAD', true],
  [{ 'sec-fetch-mode': 'navigate' }, 'POST', false],
  [{ 'sec-fetch-mode': 'cors', accept: 'text/html' }, 'GET', false],
  [{ accept: 'text/html,*/*' }, 'GET', true],
  [{ accept: '*/*' }, 'GET', false],
  [{}, 'GET', false],
])('says whether a request with %o by %s is for a page: %s', (headers, method, expected) => {
  expect(isForPage(request(headers as Record<string, string>, method))).toBe(expected);
});
