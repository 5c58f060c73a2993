/**
 * `npm run mcp`: the MCP server of examples/mcp in the protocol's conformance tests. These need tools with certain
 * names, so a server that has them replaces the example's server; the route is the example's.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from '../conformance/command.ts';
import { findFreePort } from '../conformance/generic/free-port.ts';
import { installLocked } from '../conformance/install-locked.ts';
import { startServer } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { packPackages } from './pack.ts';
import { createProject } from './project.ts';
import { npmCommand, runCommand } from './run-command.ts';

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'check', version: '1.0.0' } };

const repository = path.resolve(import.meta.dirname, '..');
const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-mcp-'));
try {
  const suite = await installLocked(path.join(repository, 'tools/mcp'), path.join(repository, '.cache/tools/mcp'));
  const project = path.join(scratch, 'mcp');
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  await createProject({ from: path.join(repository, 'examples/mcp'), into: project, tarballs, omitDev: false });
  await cp(path.join(repository, 'tools/mcp/fixture'), project, { recursive: true });
  await checks.run('the example type-checks', () => runCommand([...npmCommand(), 'run', 'types'], { cwd: project }));
  await runCommand([...npmCommand(), 'run', 'build'], { cwd: project });
  const server = await startServer({
    command: ['node', 'node_modules/appkit-cli/bin/appkit.js', 'serve'],
    folder: project,
    env: { ...serverEnvironment, PORT: String(await findFreePort()) },
    ready: /(http:\/\/\S+)/,
    outlivesBehaviours: true,
  });
  try {
    await checks.run('the route passes the conformance tests of the protocol', async () => {
      const program = path.join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
      // The tool names the scenarios that fail, and exits with 1.
      await runCommand(['node', program, 'server', '--url', `${server.origin}/conformance`], { cwd: scratch });
    });
    await checks.run("the example's own server lists its tool", async () => {
      const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE };
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const ask = (body: unknown, more: Record<string, string> = {}): Promise<Response> =>
        fetch(`${server.origin}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
      const begun = await ask(message);
      const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
      assert.match(await begun.text(), /"name":"todos"/);
      await ask({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
      const listed = await ask({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, session);
      assert.match(await listed.text(), /"name":"add_todo"/);
      assert.equal((await ask(message, { origin: 'https://evil.example' })).status, 403);
    });
  } finally {
    await server.stop();
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();
