import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fixtureJson, withRoutes } from './fixture-text.ts';
import { fetch } from './fixture/index.ts';
import { routes } from './fixture/routes.ts';

const read = (file: string): Promise<string> => readFile(path.join(import.meta.dirname, file), 'utf8');
const hint = 'Run: node conformance/generic/write-fixture.ts && oxfmt conformance/fixture.md';

it('is what fixture.json says', async () => {
  expect(await read('fixture.json'), hint).toBe(fixtureJson());
});

it('is what fixture.md says', async () => {
  // The formatter has aligned the columns.
  const squeeze = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  const page = await read('../fixture.md');
  expect(squeeze(page), hint).toBe(squeeze(withRoutes(page)));
});

it('says of each method of a path what it answers', () => {
  for (const { path, handlers, answers } of routes) {
    expect([path, ...Object.keys(answers).toSorted()]).toEqual([path, ...Object.keys(handlers).toSorted()]);
  }
});

it('gives a handler the segments that its path names', async () => {
  await fetch(new Request('http://fixture.test/signals/caf%C3%A9?value=7', { method: 'PUT' }));
  const response = await fetch(new Request('http://fixture.test/signals/caf%C3%A9', { method: 'OPTIONS' }));
  expect(await response.json()).toEqual({ value: '7' });
});

it('answers 405 with the methods there are, and 404 to any other path', async () => {
  const refused = await fetch(new Request('http://fixture.test/methods/get', { method: 'POST' }));
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await fetch(new Request('http://fixture.test/hello/again'))).status).toBe(404);
  expect((await fetch(new Request('http://fixture.test/%zz'))).status).toBe(404);
});
