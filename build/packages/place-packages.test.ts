import { expect, it } from 'vitest';

import { placePackages } from './place-packages.ts';

it('puts a package and its dependencies side by side', () => {
  const places = placePackages('app', [
    { from: 'app', name: 'a', to: '/store/a' },
    { from: '/store/a', name: 'b', to: '/store/b' },
  ]);
  expect(Object.fromEntries(places)).toEqual({ a: '/store/a', b: '/store/b' });
});

it('puts a second version below the package that needs it', () => {
  const places = placePackages('app', [
    { from: 'app', name: '@x/a', to: '/a' },
    { from: 'app', name: 'b', to: '/b1' },
    { from: '/a', name: 'b', to: '/b2' },
    { from: '/b2', name: 'c', to: '/c' },
    { from: '/b1', name: 'c', to: '/c' },
  ]);
  expect(Object.fromEntries(places)).toEqual({
    '@x/a': '/a',
    b: '/b1',
    '@x/a/node_modules/b': '/b2',
    c: '/c',
  });
});

it('follows the name a package is imported by, not the name of its folder', () => {
  const places = placePackages('app', [
    { from: 'app', name: 'a', to: '/a' },
    { from: '/a', name: 'alias', to: '/store/real' },
  ]);
  expect(places.get('alias')).toBe('/store/real');
});

it('ends when packages need each other', () => {
  const places = placePackages('app', [
    { from: 'app', name: 'a', to: '/a' },
    { from: '/a', name: 'b', to: '/b' },
    { from: '/b', name: 'a', to: '/a' },
  ]);
  expect([...places.keys()]).toEqual(['a', 'b']);
});
