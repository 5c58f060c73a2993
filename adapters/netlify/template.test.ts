import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

it('the function of the template finds the build in a workspace, where Netlify keeps the path from the root of the repository', async () => {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const repository = await mkdtemp(path.join(root, '.cache/template-'));
  onTestFinished(() => rm(repository, { recursive: true }));
  const app = path.join(repository, 'apps/web');
  await cp(path.join(import.meta.dirname, 'template'), app, { recursive: true });
  const files = {
    '_appkit/routes.json': '{"version":1,"routes":[{"pattern":"/hello","file":"_appkit/hello.js","methods":["GET"]}]}',
    '_appkit/hello.js': "exports.GET = () => new Response('found');",
    'package.json': '{"type":"commonjs"}',
  };
  await mkdir(path.join(app, 'dist/server/_appkit'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(app, 'dist/server', name), content);
  const script = `
    import handler from './apps/web/netlify/functions/server.mjs';
    console.log(await (await handler(new Request('http://app.test/hello'))).text());`;
  const call = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: repository });
  expect((await call).stdout).toBe('found\n');
});
