import { fork } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const tools = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const launcher = path.join(path.dirname(tools.resolve('@vercel/node')), 'dev-server.mjs');

/**
 * Starts a function of `.vercel/output` in a copy of its folder.
 *
 * @param project – the folder with the files that the build lists in `filePathMap`.
 * @param options – `entryPoint`, a file to call in place of the function's own, copied next to it, `variables` of the
 * function, and `signals` that its process shares with others.
 */
export async function launchFunction(project, source, { entryPoint, variables, signals } = {}) {
  // Next to the project, where its node_modules are out of reach.
  const folder = mkdtempSync(path.join(project, '../function-'));
  cpSync(source, folder, { recursive: true, dereference: true });
  const { handler, filePathMap = {}, environment, shouldAddHelpers } = readConfig(source);
  for (const [to, from] of Object.entries(filePathMap)) copy(path.join(project, from), path.join(folder, to));
  const called = entryPoint === undefined ? handler : path.join(path.dirname(handler), entryPoint);
  if (entryPoint !== undefined) copy(path.join(project, 'host', entryPoint), path.join(folder, called));

  const child = fork(launcher, [], {
    cwd: folder,
    execArgv: ['--import', new URL('launcher-preload.mjs', import.meta.url).href],
    env: {
      ...process.env,
      ...environment,
      ...variables,
      VERCEL: '1',
      VERCEL_DEV_ENTRYPOINT: called,
      // The launcher's helpers change the shape of a body.
      VERCEL_DEV_CONFIG: JSON.stringify({ helpers: shouldAddHelpers && process.env.APPKIT_BODY_SHAPE === undefined }),
    },
  });
  signals?.share(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    return { port: await portOf(child), stop: () => stop(child, exited) };
  } catch (error) {
    child.kill();
    throw error;
  }
}

function stop(child, exited) {
  child.kill('SIGTERM');
  return exited;
}

// The launcher has two servers: the function's own, and one in front that `vercel dev` talks to. That one buffers bodies and
// hides when a client leaves, which the platform does not, so the function's own is called. It announces the other when both
// are there.
function portOf(child) {
  return new Promise((resolve, reject) => {
    const ports = [];
    child.on('message', ({ listening, signal, port }) => {
      if (signal !== undefined) return;
      if (listening !== undefined) ports.push(listening);
      else if (ports.length === 2) resolve(ports.find((one) => one !== port));
      else reject(new Error('The function could not be loaded. What the launcher printed says why.'));
    });
    child.once('exit', (code) => reject(new Error(`The launcher of @vercel/node ended with ${code}.`)));
  });
}

function readConfig(folder) {
  return JSON.parse(readFileSync(path.join(folder, '.vc-config.json'), 'utf8'));
}

function copy(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, dereference: true });
}
