import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listHosts, readSizeGoals } from './adapters.ts';

it('lists every host, and no shared folder', () => {
  expect(listHosts()).toEqual(expect.arrayContaining(['aws-lambda', 'node', 'vercel']));
  expect(listHosts().filter((name) => name.startsWith('_'))).toEqual([]);
});

it('finds a host that is one folder more, and says what is missing in it', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'appkit-adapters-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(path.join(root, 'adapters/made-up'), { recursive: true });
  await writeFile(path.join(root, 'adapters/made-up/index.ts'), '');
  expect(listHosts(root)).toEqual(['made-up']);
  expect(() => readSizeGoals('made-up', root)).toThrow('adapters/made-up/size.json is missing.');
  await writeFile(path.join(root, 'adapters/made-up/size.json'), '{ "limit": 2, "goal": 1 }');
  expect(readSizeGoals('made-up', root)).toEqual({ limit: 2, goal: 1 });
});
