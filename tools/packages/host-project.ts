import { cp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer } from '../../conformance/server-process.ts';
import type { ServerProcess } from '../../conformance/server-process.ts';

/** A project that hosts an exported app, in one of the module systems that a project may use. */
export interface HostProject {
  /** An empty folder for the project. */
  folder: string;
  /** The `dist/` of the app. */
  dist: string;
  /** A `node_modules` with appkit-server and Express. */
  nodeModules: string;
  /** The `type` of its package.json. */
  type: 'module' | 'commonjs';
  /** How its server imports the server build and the adapters. */
  how: 'import' | 'require';
  /** The executable of the Node that runs it. */
  node: string;
}

const LISTEN = `
const listen = (name, listener) => {
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    console.log(name + ' listens at http://127.0.0.1:' + server.address().port);
  });
};
listen('node', forNode({ build }));
listen('express', express().use(forExpress({ build: 'dist/server' })));
`;

const SERVERS = {
  import: `import { createServer } from 'node:http';
import express from 'express';
import build from './dist/server/index.js';
import { createRequestHandler as forNode } from 'appkit-server/adapter/node';
import { createRequestHandler as forExpress } from 'appkit-server/adapter/express';
${LISTEN}`,
  require: `const { createServer } = require('node:http');
const express = require('express');
const build = require('./dist/server');
const { createRequestHandler: forNode } = require('appkit-server/adapter/node');
const { createRequestHandler: forExpress } = require('appkit-server/adapter/express');
${LISTEN}`,
};

/**
 * Creates such a project and starts its server.
 *
 * @returns the process, which the caller stops, and where the app answers: behind the node adapter, given the server build
 * as an object, and behind the Express adapter, given its directory.
 */
export async function startHostProject(project: HostProject): Promise<{ server: ServerProcess; origins: string[] }> {
  const { folder, dist, nodeModules, type, how, node } = project;
  await cp(dist, path.join(folder, 'dist'), { recursive: true });
  await symlink(nodeModules, path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type }));
  // A file without its own extension has the type of the project: this is tested wherever possible.
  const isOwnType = (type === 'module') === (how === 'import');
  const file = `server.${isOwnType ? 'js' : how === 'import' ? 'mjs' : 'cjs'}`;
  await writeFile(path.join(folder, file), SERVERS[how]);

  const ready = /^express listens at (\S+)$/m;
  const server = await startServer({ command: [node, file], folder, env: {}, ready });
  const [, nodeOrigin = ''] = await server.waitForOutput(/^node listens at (\S+)$/m);
  return { server, origins: [nodeOrigin, server.origin] };
}
