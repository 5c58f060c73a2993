import { expect, it } from 'vitest';
import { isContentHashed } from './cache-lifetime.ts';

it.each([
  ['main-a1b2c3d4.js', true],
  ['main.a1b2c3d4.js', true],
  ['main-A1B2C3D4E5F6.css', true],
  ['main-a1b2c3d4.js.map', true],
  ['entry-0123456789abcdef0123456789abcdef.js', true],
  ['main-a1b2c3.js', false],
  ['report-20240101.pdf', false],
  ['a-facade.png', false],
  ['some-javascript.js', false],
  ['photo-iphone15pro.jpg', false],
  ['a1b2c3d4.js', false],
  ['index.html', false],
])('%s: %s', (name, expected) => {
  expect(isContentHashed(name)).toBe(expected);
});
