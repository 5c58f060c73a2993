import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../run-command.ts';

const FIXTURE = "import { fetch } from 'appkit-conformance/fixture';";

/** The fixture on the adapter for Node, by one route per method. */
const WHOLE = `import { createServer } from 'node:http';
import { createRequestHandler } from 'appkit-server/adapter/node';
${FIXTURE}
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const route = Object.fromEntries(methods.map((method) => [method, (request) => fetch(request)]));
const build = {
  manifest: { version: 1, routes: [{ pattern: '/[...path]', file: 'all', methods }] },
  modules: { all: () => route },
};
createServer(createRequestHandler({ build, onError() {} })).listen(process.env.PORT, '127.0.0.1');
`;

/** A server that loses all but the last of several headers. */
const BROKEN = `import { createServer } from 'node:http';
${FIXTURE}
createServer(async ({ method, url }, outgoing) => {
  const response = await fetch(new Request('http://127.0.0.1:' + process.env.PORT + url, { method }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
}).listen(process.env.PORT, '127.0.0.1');
`;

/**
 * Runs the packed appkit-conformance against a server that serves its fixture, and against a server that loses cookies.
 *
 * @param folder – where only appkit-conformance is installed.
 * @param serverFolder – where appkit-server is installed.
 * @throws Error with the tool's output.
 */
export async function checkConformanceTool(folder: string, serverFolder: string): Promise<void> {
  const packages = await readdir(path.join(folder, 'node_modules'));
  const ours = packages.filter((name) => name.includes('appkit'));
  if (ours.join() !== 'appkit-conformance') throw new Error(`It brought ${ours.join(', ')}.`);

  const adapter = path.join(serverFolder, 'node_modules/appkit-server/lib/adapters/node/index.js');
  await writeFile(path.join(folder, 'whole.mjs'), WHOLE.replace('appkit-server/adapter/node', adapter));
  await writeFile(path.join(folder, 'broken.mjs'), BROKEN);
  const bin = path.join(folder, 'node_modules/.bin/appkit-conformance');
  const ask = (...args: string[]): Promise<string> => runCommand([bin, ...args], { cwd: folder });

  const passed = await ask('--start', `'${process.execPath}' whole.mjs`, '--limit', '60');
  const count = Number(/^(\d+) passed\. 0 failed/m.exec(passed)?.[1]);
  if (!(count >= 150)) throw new Error(`The complete server: ${passed}`);

  const failed = await ask('--start', `'${process.execPath}' broken.mjs`, '--topic', 'cookies').catch(String);
  if (!failed.includes('FAILED cookies: sends several cookies as several header lines (RFC 6265 section 3)')) {
    throw new Error(`The server that loses cookies: ${failed}`);
  }
}
