import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import { findTool } from './find-tool.ts';
import type { ToolCommand } from './find-tool.ts';

const NETLIFY = { name: 'netlify', package: 'netlify-cli' };
const PRINTS = 'console.log(JSON.stringify(process.argv.slice(2)));';

async function createFolder(files: Record<string, string>): Promise<string> {
  const app = await createTemporaryApp(files);
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app.folder;
}

function run({ file, args }: ToolCommand, more: string[]): unknown {
  return JSON.parse(spawnSync(file, [...args, ...more], { encoding: 'utf8' }).stdout);
}

describe('a tool', () => {
  it('is the one from a folder around the app, then the one on the PATH, if it is executable', async () => {
    const folder = await createFolder({
      'apps/web/node_modules/.bin/netlify': 'not executable',
      'apps/node_modules/.bin/netlify': '',
      'global/netlify': '',
    });
    await chmod(path.join(folder, 'apps/node_modules/.bin/netlify'), 0o755);
    await chmod(path.join(folder, 'global/netlify'), 0o755);
    const find = (from: string): ToolCommand | undefined =>
      findTool(NETLIFY, path.join(folder, from), { searchPath: path.join(folder, 'global'), platform: 'linux' });
    expect(find('apps/web')).toEqual({ file: path.join(folder, 'apps/node_modules/.bin/netlify'), args: [] });
    expect(find('elsewhere')).toEqual({ file: path.join(folder, 'global/netlify'), args: [] });
    expect(findTool(NETLIFY, folder, { searchPath: 'global:', platform: 'linux' })).toBeUndefined();
  });
});

describe('a tool on Windows', () => {
  const manifest = JSON.stringify({ bin: { ntl: './other.js', netlify: './bin/run.js' } });

  it.each([
    ['in the project', 'node_modules/.bin/netlify.cmd', 'node_modules/netlify-cli'],
    ['for all projects', 'global/netlify.cmd', 'global/node_modules/netlify-cli'],
  ])('that is installed %s is run by Node, with unchanged arguments', async (_, batch, place) => {
    // The temporary app has a link for node_modules: the project lies deeper.
    const files = { [batch]: '@exit /b 1', [`${place}/package.json`]: manifest, [`${place}/bin/run.js`]: PRINTS };
    const folder = await createFolder(
      Object.fromEntries(Object.entries(files).map(([name, content]) => [`project/${name}`, content])),
    );
    const project = path.join(folder, 'project');
    const command = findTool(NETLIFY, project, { searchPath: path.join(project, 'global'), platform: 'win32' });
    expect(command).toEqual({ file: process.execPath, args: [path.join(project, place, 'bin/run.js')] });
    const args = ['--message', 'a "b" & calc.exe | %PATH% ^ !x! (1) > out', '', 'C:\\with space\\', '--x=\n'];
    expect(command && run(command, args)).toEqual(args);
  });

  it('whose package has one script for the command of its own name', async () => {
    const folder = await createFolder({
      'global/vercel.cmd': '',
      'global/node_modules/vercel/package.json': '{"bin":"x.js"}',
    });
    const tool = { name: 'vercel', package: 'vercel' };
    expect(findTool(tool, folder, { searchPath: path.join(folder, 'global'), platform: 'win32' })).toEqual({
      file: process.execPath,
      args: [path.join(folder, 'global/node_modules/vercel/x.js')],
    });
  });

  it('that is a program is run as it is; a batch file of which no package is known is passed over', async () => {
    const folder = await createFolder({ 'first/netlify.cmd': '', 'second/netlify.exe': '' });
    const searchPath = [path.join(folder, 'first'), path.join(folder, 'second')].join(path.delimiter);
    expect(findTool(NETLIFY, folder, { searchPath, platform: 'win32' })).toEqual({
      file: path.join(folder, 'second/netlify.exe'),
      args: [],
    });
  });
});
