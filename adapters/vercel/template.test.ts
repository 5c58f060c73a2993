import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

// Vercel keeps the path from the root of the repository, and runs the function in that root.
describe('the function of a template finds the build in a workspace', () => {
  it('for vercel.json with functions, in an app of ES modules', async () => {
    expect(await answer({ template: 'template', file: 'api/index.mjs', type: 'module' })).toBe('found\n');
  });

  it('for vercel.json with functions, in an app of CommonJS', async () => {
    expect(await answer({ template: 'template', file: 'api/index.mjs', type: 'commonjs' })).toBe('found\n');
  });

  it('for vercel.json with builds, in an app of ES modules', async () => {
    expect(await answer({ template: 'template-legacy', file: 'api/index.cjs', type: 'module' })).toBe('found\n');
  });

  it('for vercel.json with builds, in an app of CommonJS', async () => {
    expect(await answer({ template: 'template-legacy', file: 'api/index.cjs', type: 'commonjs' })).toBe('found\n');
  });
});

/** Calls the function of a template, in an app in `apps/web` of a repository. */
async function answer({ template, file, type }: { template: string; file: string; type: string }): Promise<string> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const repository = await mkdtemp(path.join(root, '.cache/template-'));
  onTestFinished(() => rm(repository, { recursive: true }));
  const app = path.join(repository, 'apps/web');
  await cp(path.join(import.meta.dirname, template), app, { recursive: true });
  const files = {
    'package.json': JSON.stringify({ type }),
    'dist/server/package.json': '{"type":"commonjs"}',
    'dist/server/_appkit/routes.json':
      '{"version":1,"routes":[{"pattern":"/hello","file":"_appkit/hello.js","methods":["GET"]}]}',
    'dist/server/_appkit/hello.js': "exports.GET = () => new Response('found');",
  };
  await mkdir(path.join(app, 'dist/server/_appkit'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(app, name), content);
  const script = `
    import { createServer } from 'node:http';
    import handler from './apps/web/${file}';
    const server = createServer(handler).listen(0, '127.0.0.1', async () => {
      const response = await fetch('http://127.0.0.1:' + server.address().port + '/hello');
      console.log(await response.text());
      server.close();
      server.closeAllConnections();
    });`;
  const node = ['--input-type=module', '--eval', script];
  return (await promisify(execFile)(process.execPath, node, { cwd: repository })).stdout;
}
