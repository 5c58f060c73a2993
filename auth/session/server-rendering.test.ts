import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { reactReleases } from './fixtures/react.ts';

it.each(reactReleases)('renders on a server, in Node, with React $major', async ({ major, alias }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-server-rendering-'));
  try {
    const input = path.join(import.meta.dirname, 'fixtures/server-page.tsx');
    const bundle = await rolldown({ input, platform: 'node', resolve: { alias } });
    await bundle.write({ file: path.join(folder, 'page.mjs'), codeSplitting: false });
    await bundle.close();
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'page.mjs')]);
    expect(JSON.parse(stdout)).toEqual({
      version: expect.stringMatching(new RegExp(`^${major}\\.`)),
      html: '<button disabled="">true</button>',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
