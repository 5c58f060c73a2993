import { expect, it } from 'vitest';
import { isCompressible, isVaried } from './compressible.ts';

it.each([
  'text/html',
  'text/plain;charset=UTF-8',
  'TEXT/CSS',
  'text/event-stream',
  'application/json',
  'application/problem+json; charset=utf-8',
  'application/ld+json',
  'application/javascript',
  'application/xhtml+xml',
  'application/wasm',
  'image/svg+xml',
  'font/ttf',
])('treats %s as compressible', (type) => {
  expect(isCompressible(200, new Headers({ 'content-type': type }))).toBe(true);
});

it.each([
  'image/png',
  'video/mp4',
  'application/zip',
  'application/octet-stream',
  'font/woff2',
  'application/jsonish',
  '',
])('treats %s as compressed or unknown', (type) => {
  expect(isCompressible(200, new Headers({ 'content-type': type }))).toBe(false);
});

it.each([
  [200, { 'content-encoding': 'identity' }],
  [200, { 'content-range': 'bytes 0-9/10' }],
  [200, { 'cache-control': 'public, No-Transform' }],
  [200, { 'content-length': '1023' }],
  [204, {}],
  [206, {}],
  [200, { etag: '"strong"' }],
])('leaves %d with %o alone', (status, headers) => {
  expect(isCompressible(status, new Headers({ 'content-type': 'text/plain', ...headers }))).toBe(false);
});

it.each([
  [200, { 'content-length': '1024' }],
  [200, { 'cache-control': 'max-age=60' }],
  [404, {}],
  [500, {}],
  [200, { etag: 'W/"weak"' }],
])('compresses %d with %o', (status, headers) => {
  expect(isCompressible(status, new Headers({ 'content-type': 'text/plain', ...headers }))).toBe(true);
});

it.each([
  [{ etag: 'W/"weak"' }, true],
  [{ etag: '"strong"' }, false],
  [{ etag: 'W/"weak"', 'cache-control': 'no-transform' }, false],
  [{}, false],
])('says whether the answer that a 304 with %o confirms may be compressed: %o', (headers, varies) => {
  expect(isVaried(new Headers(headers))).toBe(varies);
});
