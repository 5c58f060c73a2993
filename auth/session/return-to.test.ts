import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toReturnUrl } from './return-to.ts';

const APP = 'https://app.example';

it.each([
  ['/', `${APP}/`],
  ['/account', `${APP}/account`],
  ['/account?tab=2#top', `${APP}/account?tab=2#top`],
  ['/a/../b', `${APP}/b`],
  ['/?next=https://evil.example', `${APP}/?next=https://evil.example`],
  // A path that begins with two slashes, which is why the origin is kept.
  ['/.//evil.example', `${APP}//evil.example`],
  ['/a/..//evil.example', `${APP}//evil.example`],
])('leads to %s', (path, url) => {
  expect(toReturnUrl(path, APP)).toBe(url);
});

it.each([
  '',
  'account',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '//evil.example/..',
  '///evil.example',
  String.raw`/\evil.example`,
  String.raw`\\evil.example`,
  String.raw`/\/evil.example`,
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '//app.example@evil.example',
  '//app.example.evil.example',
  '//app.example:444/',
  '//[',
])('does not lead to %j', (path) => {
  expect(toReturnUrl(path, APP)).toBeUndefined();
});

it('leads to the app or nowhere, for any value', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '\t',
    '\n',
    '@',
    ':',
    '?',
    '#',
    '%2f',
    'evil.example',
    'https:',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const url = toReturnUrl(`/${pieces.join('')}`, APP);
      // As a browser reads the header, from the page of the app or of another.
      for (const base of [`${APP}/auth/callback`, 'https://evil.example/x']) {
        if (url !== undefined) expect(new URL(url, base).origin).toBe(APP);
      }
    }),
    { numRuns: 2000 },
  );
});
