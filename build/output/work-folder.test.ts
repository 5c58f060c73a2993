import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { createFolder, createProject } from '../fixtures/create-project.ts';
import { exportApp } from '../index.ts';
import { createWorkFolder, removeStaleWorkFolders } from './work-folder.ts';

/** A process that does nothing until its input ends. */
async function startProcess(): Promise<{ pid: number; end(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const closed = once(child, 'close');
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  const end = async (): Promise<void> => {
    child.stdin.end();
    await closed;
  };
  return { pid: child.pid ?? 0, end };
}

it('removes what a killed export has left, and nothing of a running one', async () => {
  const other = await startProcess();
  const project = await createProject({
    [`.dist-${other.pid}-abcDEF/new/client/x`]: '',
    [`.dist-${other.pid}-abcDEFG/mine`]: '',
    [`.dist-notes-abcDEF/mine`]: '',
    [`.dist2-${other.pid}-abcDEF/mine`]: '',
    'app/a+api.ts': 'export const GET = () => new Response();',
  });
  const running = (await readdir(project)).toSorted();
  await exportApp({ projectRoot: project });
  expect((await readdir(project)).toSorted()).toEqual(['.appkit', ...running, 'dist'].toSorted());

  await other.end();
  await exportApp({ projectRoot: project });
  const left = ['.appkit', ...running, 'dist'].filter((name) => name !== `.dist-${other.pid}-abcDEF`);
  expect((await readdir(project)).toSorted()).toEqual(left.toSorted());
});

it('distinguishes its own from those of an earlier process with the same id', async () => {
  const parent = await createFolder();
  const outputDir = path.join(parent, 'dist');
  const [earlier, own] = [await createWorkFolder(outputDir), await createWorkFolder(outputDir)];
  await utimes(earlier, 0, 0);
  expect(await removeStaleWorkFolders(outputDir)).toEqual([]);
  expect(await readdir(parent)).toEqual([path.basename(own)]);
});
