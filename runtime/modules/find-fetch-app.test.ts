import { expect, it } from 'vitest';
import { findFetchApp } from './find-fetch-app.ts';

it('looks no deeper than the default export of a CommonJS module that was imported', () => {
  const app = { fetch: () => new Response() };
  expect(findFetchApp({ default: { default: app } })).toBe(app);
  expect(findFetchApp({ default: { default: { default: app } } })).toBe(undefined);
});

it('ends at a module that is its own default export', () => {
  const module: Record<string, unknown> = {};
  module['default'] = module;
  expect(findFetchApp(module)).toBe(undefined);
});
