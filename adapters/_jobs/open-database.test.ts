import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './open-database.ts';

it('creates files that no other user may read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-jobs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'made/jobs.sqlite');
  const database = openDatabase(file);
  database.exec('CREATE TABLE one (id TEXT)');
  const modes = await Promise.all([file, `${file}-wal`].map(async (name) => (await stat(name)).mode & 0o077));
  database.close();
  expect(modes).toEqual([0, 0]);
});
