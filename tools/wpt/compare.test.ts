import path from 'node:path';
import { expect, it } from 'vitest';
import { compareBuilds } from './compare.ts';

it('names each subtest with a different result under the light classes', async () => {
  const { differences, ...counts } = await compareBuilds(path.join(import.meta.dirname, 'fixture'));
  expect(counts).toEqual({ files: 1, subtests: 5, passedNatively: 4 });
  expect(differences).toEqual([
    expect.stringMatching(
      /^fetch\/response\.any\.js: looks at what is listed in the guide: native passes, light fails/,
    ),
  ]);
});

it('says what is missing in a folder', async () => {
  await expect(compareBuilds(import.meta.dirname)).rejects.toThrow(/no .*resources\/testharness\.js/);
});
