import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { createTemporaryApp } from '../cli/appkit/fixtures/temporary-app.ts';

const root = path.join(import.meta.dirname, '..');
const cli = path.join(root, 'cli/appkit/bin/appkit.js');

/** The files in a page: code blocks whose first line is a file name in a comment. */
function filesIn(page: string): Map<string, string> {
  const text = readFileSync(path.join(root, page), 'utf8');
  const blocks = text.matchAll(/^```js(?:on)?\n\/\/ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]));
}

/** Writes an app, and the folder for Node with the files of the template. */
async function deployForNode(): Promise<string> {
  const app = await createTemporaryApp({
    'package.json':
      '{ "name": "shop", "version": "1.2.3", "dependencies": { "appkit-cli": "*", "appkit-server": "*" } }',
    'app.json': '{ "web": { "output": "server" } }',
    'app/hello+api.ts': 'export const GET = () => Response.json({ hello: "world" });',
    'public/robots.txt': 'User-agent: *\n',
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  // The real package, so that it becomes part of the folder.
  rmSync(path.join(app.folder, 'node_modules'));
  for (const folder of ['lib', 'templates', 'package.json']) {
    const target = path.join(app.folder, 'node_modules/appkit-server', folder);
    cpSync(path.join(root, 'runtime', folder), target, { recursive: true });
  }
  run(app.folder, [cli, 'init', '--host', 'node']);
  run(app.folder, [cli, 'deploy', '--host', 'node']);
  return app.folder;
}

function run(cwd: string, args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.anything()]);
}

/** Starts a server, and returns its URL. */
async function start(cwd: string, entry: string, env: Record<string, string>): Promise<string> {
  const server = spawn(process.execPath, [entry], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  for await (const line of createInterface(server.stdout)) {
    const [, url] = /^Listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`${entry} has ended.`);
}

async function expectApp(origin: string): Promise<void> {
  expect(await (await fetch(`${origin}/hello`)).json()).toEqual({ hello: 'world' });
  expect(await (await fetch(`${origin}/robots.txt`)).text()).toBe('User-agent: *\n');
}

it('the recipe for Amplify writes the layout of its specification, with a server that runs', async () => {
  const folder = await deployForNode();
  writeFileSync(path.join(folder, 'amplify.mjs'), filesIn('docs/guide/deploy-amplify.md').get('amplify.mjs') ?? '');
  run(folder, ['amplify.mjs']);
  run(folder, ['amplify.mjs']); // again, as in the next build

  const output = path.join(folder, '.amplify-hosting');
  expect(readdirSync(output).toSorted()).toEqual(['compute', 'deploy-manifest.json', 'static']);
  expect(readdirSync(path.join(output, 'static'))).toEqual(['robots.txt']);
  const manifest = JSON.parse(readFileSync(path.join(output, 'deploy-manifest.json'), 'utf8')) as unknown;
  const server = { kind: 'Compute', src: 'default' };
  expect(manifest).toMatchObject({
    version: 1,
    routes: [
      { path: '/*.*', target: { kind: 'Static' }, fallback: server },
      { path: '/*', target: server },
    ],
    computeResources: [{ name: 'default', entrypoint: 'server.js' }],
  });
  await expectApp(await start(path.join(output, 'compute/default'), 'server.js', { PORT: '0', HOST: '127.0.0.1' }));
});

it('the recipe for Azure Functions starts the server on the port that the host names', async () => {
  const folder = await deployForNode();
  for (const [name, content] of filesIn('docs/guide/deploy-azure-functions.md')) {
    mkdirSync(path.dirname(path.join(folder, 'azure', name)), { recursive: true });
    writeFileSync(path.join(folder, 'azure', name), content);
  }
  const deployed = path.join(folder, 'dist-node');
  cpSync(path.join(folder, 'azure'), deployed, { recursive: true });

  const { customHandler } = JSON.parse(readFileSync(path.join(deployed, 'host.json'), 'utf8')) as {
    customHandler: { description: { defaultExecutablePath: string; arguments: [string] } }; // as the page has it
  };
  expect(customHandler).toMatchObject({
    enableForwardingHttpRequest: true,
    description: { defaultExecutablePath: 'node' },
  });
  JSON.parse(readFileSync(path.join(deployed, 'app/function.json'), 'utf8'));
  const [entry] = customHandler.description.arguments;
  await expectApp(await start(deployed, entry, { PORT: '1', FUNCTIONS_CUSTOMHANDLER_PORT: '0' }));
});
