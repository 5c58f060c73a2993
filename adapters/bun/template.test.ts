import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const NAMES = ['plain.txt', '100%.txt', 'a%20b.txt', 'what?.txt', 'a#b.txt', 'a b.txt', 'café.txt', 'a & b/c+d.txt'];

it('the template of bun serves files of every name, and leaves everything else to the routes', async () => {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/template-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(path.join(root, 'adapters/bun/template'), folder, { recursive: true });
  await mkdir(path.join(folder, 'dist/client/a & b'), { recursive: true });
  await mkdir(path.join(folder, 'dist/server/_appkit'), { recursive: true });
  await writeFile(path.join(folder, 'dist/server/_appkit/routes.json'), '{"version":1,"routes":[]}');
  await writeFile(path.join(folder, 'dist/client/50% off.html'), 'a page');
  for (const name of NAMES) await writeFile(path.join(folder, 'dist/client', name), `this is ${name}`);

  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1' };
  const server = spawn(path.join(root, 'node_modules/.bin/bun'), ['server.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(String(line))?.[0] ?? '';
  const ask = async (target: string): Promise<unknown[]> => {
    const response = await fetch(url + target);
    return [target, response.status, await response.text()];
  };
  for (const name of NAMES) {
    const target = `/${name.split('/').map(encodeURIComponent).join('/')}`;
    expect(await ask(target)).toEqual([target, 200, `this is ${name}`]);
  }
  expect(await ask('/50%25%20off?a=b')).toEqual(['/50%25%20off?a=b', 200, 'a page']);
  expect(await ask('/100%.txt')).toEqual(['/100%.txt', 400, 'Bad request']);
  expect(await ask('/what?.txt')).toEqual(['/what?.txt', 404, 'Not found']);
});
