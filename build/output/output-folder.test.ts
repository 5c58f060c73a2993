import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createProject, writeFiles } from '../fixtures/create-project.ts';
import { listFiles } from './list-files.ts';
import { replaceOutput } from './output-folder.ts';

it('moves nothing once it is aborted', async () => {
  const root = await createProject({ 'dist/server/a': 'old' });
  const stop = new AbortController();
  const write = async (folder: string): Promise<void> => {
    await writeFiles(folder, { 'server/a': 'new' });
    stop.abort(new Error('stopped'));
  };
  const replaced = replaceOutput(path.join(root, 'dist'), write, { clear: false, signal: stop.signal });
  await expect(replaced).rejects.toThrow('stopped');
  expect(await listFiles(root)).toEqual(['dist/server/a']);
  expect(await readFile(path.join(root, 'dist/server/a'), 'utf8')).toBe('old');
});
