import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/**
 * Starts Deno with the bundled functions, in a folder next to the project that contains nothing else: the project's
 * files cannot be read.
 *
 * @returns the process, and the port it listens on.
 */
export async function startIsolate() {
  const project = process.cwd();
  const folder = mkdtempSync(path.join(project, '../isolate-'));
  cpSync('.netlify/edge', folder, { recursive: true });
  cpSync('host/isolate.mjs', path.join(folder, 'isolate.mjs'));
  const { imports } = JSON.parse(readFileSync(path.join(folder, 'import-map.json'), 'utf8'));
  const map = { imports: { ...imports, 'netlify:bootstrap': findBootstrap() } };
  writeFileSync(path.join(folder, 'import-map.json'), JSON.stringify(map));

  const flags = ['--allow-env', '--allow-net', '--allow-sys', '--no-config', '--no-remote', '--no-npm', '--quiet'];
  const isolate = spawn('deno', ['run', ...flags, '--import-map=import-map.json', 'isolate.mjs'], {
    cwd: folder,
    // This variable tells Netlify's code that it is deployed.
    env: { ...process.env, DENO_DEPLOYMENT_ID: 'local', DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(isolate.stdout);
  const port = await new Promise((done) => {
    lines.on('line', (line) => {
      const [, found] = /^isolate at (\d+)$/.exec(line) ?? [];
      if (found === undefined) console.log(line);
      else done(Number(found));
    });
    isolate.once('exit', (code) => process.exit(code ?? 1));
  });
  return { isolate, port };
}

// Netlify's network has the newest version. This one is part of the package with which Netlify runs edge functions in
// development.
function findBootstrap() {
  const tools = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
  return pathToFileURL(path.join(path.dirname(tools.resolve('@netlify/edge-functions-dev')), '../deno/bootstrap.mjs'))
    .href;
}
