/**
 * `npm run packages`: installs the packed tarballs in folders outside the repository and uses them as people do, by import
 * and by require, in ES modules and CommonJS projects, on the oldest Node each supports.
 */
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packPackages } from './pack.ts';
import { npmCommand, runCommand } from './run-command.ts';

const OLDEST_NODE = { server: '20.19.0', cli: '22.12.0' };
const repository = path.resolve(import.meta.dirname, '..');
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-packages-'));
const routeSource = `import { origin, setResponseHeaders, StatusError } from 'appkit-server';
export function GET(request: Request): Response {
  if (!origin()) throw new StatusError(400, 'no origin');
  setResponseHeaders({ 'x-route': '1' });
  return new Response('hello');
}
`;

const serverBody = `
const ask = (listener) => new Promise((resolve, reject) => {
  const server = http.createServer(listener).listen(0, '127.0.0.1', async () => {
    const response = await fetch('http://127.0.0.1:' + server.address().port + '/hello');
    server.close();
    if (response.headers.get('x-route') !== '1') reject(new Error('The header is missing.'));
    resolve(await response.text());
  });
});
const main = async () => {
  const app = express();
  app.use(forExpress({ build: 'dist/server' }));
  console.log(await ask(forNode({ build })), await ask(app));
};
void main();
`;

const importingServer = `import http from 'node:http';
import express from 'express';
import build from './dist/server/index.js';
import { createRequestHandler as forNode } from 'appkit-server/adapter/node';
import { createRequestHandler as forExpress } from 'appkit-server/adapter/express';
${serverBody}`;

const requiringServer = `const http = require('node:http');
const express = require('express');
const build = require('./dist/server');
const { createRequestHandler: forNode } = require('appkit-server/adapter/node');
const { createRequestHandler: forExpress } = require('appkit-server/adapter/express');
${serverBody}`;

const consumerSource = `import http from 'node:http';
import { environment, origin, runTask, StatusError } from 'appkit-server';
import type { ServerBuild } from 'appkit-server/manifest';
import { createRequestHandler as forBun } from 'appkit-server/adapter/bun';
import { createRequestHandler as forExpress } from 'appkit-server/adapter/express';
import { createRequestHandler as forNode } from 'appkit-server/adapter/node';

declare const build: ServerBuild;
http.createServer(forNode({ build, onError: (error, request) => console.error(error, request.url) }));
const answer: Promise<Response> = forBun({ build: 'dist/server', trustProxy: 1 })(new Request('http://app.test'));
const drained: Promise<void> = forExpress({ build: new URL('file:///app/dist/server') }).drain();
export const GET = (): Response => {
  const place: string | null = origin() ?? environment();
  runTask(async () => {});
  if (!place) throw new StatusError(422, { field: place });
  return new Response(place);
};
export { answer, drained };
`;

let passed = 0;
let failed = 0;

try {
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  await check('a tarball holds its manifest, README, LICENSE and what is compiled, nothing else', () =>
    checkContents(tarballs),
  );

  const app = path.join(scratch, 'app');
  await install(app, [...Object.values(tarballs), 'express@5.3.0', 'typescript@7.0.2', '@types/node@24.19.2']);
  const node20 = await installNode(OLDEST_NODE.server);
  const node22 = await installNode(OLDEST_NODE.cli);
  await writeFile(path.join(app, 'app.json'), '{ "web": { "output": "server" } }\n');
  await mkdir(path.join(app, 'app'));
  await writeFile(path.join(app, 'app/hello+api.ts'), routeSource);
  const cli = path.join(app, 'node_modules/appkit/bin/appkit.js');

  await check(`appkit export runs on Node ${OLDEST_NODE.cli}`, () =>
    runCommand([node22, cli, 'export', '-p', 'web'], { cwd: app }),
  );
  await check(`appkit on Node ${OLDEST_NODE.server} says which Node it needs`, async () => {
    const error = await runCommand([node20, cli, 'export'], { cwd: app }).then(() => undefined, String);
    if (!error?.includes('needs Node 22.12 or later') || !error.includes(OLDEST_NODE.server))
      throw new Error(`It said: ${error}`);
  });
  await check('a package without files of its own has no dependencies', async () => {
    const installed = path.join(scratch, 'alone');
    await install(installed, [tarballs['appkit-server'] as string]);
    const packages = (await readdir(path.join(installed, 'node_modules'))).filter((name) => !name.startsWith('.'));
    if (packages.join() !== 'appkit-server') throw new Error(`It brought ${packages.join(', ')}.`);
  });

  for (const type of ['module', 'commonjs']) {
    for (const [how, extension, source] of [
      ['import', 'mjs', importingServer],
      ['require', 'cjs', requiringServer],
    ] as const) {
      for (const [version, node] of [
        [OLDEST_NODE.server, node20],
        [process.versions.node, process.execPath],
      ] as const) {
        const folder = path.join(scratch, `${type}-${how}-${version}`);
        await check(
          `"type": "${type}", ${how}, Node ${version}: node and express answer, and the build loads`,
          async () => {
            await cp(path.join(app, 'dist'), path.join(folder, 'dist'), { recursive: true });
            await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type }));
            // A file without an extension of its own takes the type of the project: that is what is tested.
            const isDefault = (type === 'module') === (extension === 'mjs');
            const server = path.join(folder, `server.${isDefault ? 'js' : extension}`);
            await writeFile(server, source);
            await symlink(path.join(app, 'node_modules'), path.join(folder, 'node_modules'));
            const output = await runCommand([node, server], { cwd: folder });
            if (output.trim() !== 'hello hello') throw new Error(`It printed: ${output}`);
          },
        );
      }
    }
  }

  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    await check(`a consumer type-checks with moduleResolution ${resolution}, without other hosts' types`, async () => {
      const folder = path.join(app, `types-${resolution}`);
      await mkdir(folder);
      await writeFile(path.join(folder, 'consumer.ts'), consumerSource);
      const compiler = path.join(app, 'node_modules/.bin/tsc');
      const flags = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023', '--types', 'node'];
      await runCommand(
        [compiler, ...flags, '--module', module ?? '', '--moduleResolution', resolution ?? '', 'consumer.ts'],
        {
          cwd: folder,
        },
      );
    });
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function check(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

async function install(folder: string, packages: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await runCommand([...npmCommand(), 'install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
}

/** The executable of a Node release, from the package of it for this platform. */
async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(scratch, `node-${version}`);
  await install(folder, [`${name}@${version}`]);
  return path.join(folder, 'node_modules', name, 'bin/node');
}

async function checkContents(tarballs: Record<string, string>): Promise<void> {
  for (const [name, tarball] of Object.entries(tarballs)) {
    const files = (await runCommand(['tar', '-tzf', tarball], { cwd: repository })).trim().split('\n');
    const roots = files.map((file) => file.replace(/^package\//, ''));
    for (const needed of ['package.json', 'README.md', 'LICENSE']) {
      if (!roots.includes(needed)) throw new Error(`${name} has no ${needed}.`);
    }
    const strange = roots.filter(
      (file) =>
        !/^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|bin\/[\w.-]+|lib\/.*(?<!\.test|\.test-d)\.(?:js|d\.ts))$/.test(
          file,
        ),
    );
    if (strange.length > 0) throw new Error(`${name} holds ${strange.join(', ')}.`);
  }
}
