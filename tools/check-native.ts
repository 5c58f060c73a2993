/**
 * `npm run packages`, last part: installs examples/native from the packed tarballs outside the repository, bundles it
 * with Metro for ios, android and web, checks the contents of the bundles, compiles them with Hermes, and runs their
 * JavaScript with React Native's own URL classes.
 */
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from '../conformance/command.ts';
import { startServer } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { assertNothingOfServer, assertVariants, PLATFORMS } from './native/bundles.ts';
import type { Platform } from './native/bundles.ts';
import { runBundle } from './native/run-bundle.ts';
import { packPackages } from './pack.ts';
import { createProject } from './project.ts';
import { runCommand } from './run-command.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../examples/native');
const PARTS = path.join(import.meta.dirname, 'native');
const HERMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux64-bin/hermesc',
  darwin: 'osx-bin/hermesc',
  win32: 'win64-bin/hermesc.exe',
};
/** The result in program.js for each URL that leads to another host, or needs a page. */
const REFUSED = Array.from({ length: 6 }, () => 'ERR_URL_INVALID');

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-native-'));
const project = path.join(scratch, 'native');
try {
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  await createProject({ from: EXAMPLE, into: project, tarballs, omitDev: false });
  await mkdir(path.join(project, 'dist'));
  await checks.run('the example type-checks', () => runCommand(['npm', 'run', 'types'], { cwd: project }));
  await checks.run('its server answers during development', checkServer);

  await cp(path.join(PARTS, 'variants'), path.join(project, 'node_modules/variants'), { recursive: true });
  for (const entry of ['index.ts', 'index.web.ts']) await appendFile(path.join(project, entry), "import 'variants';\n");
  for (const platform of PLATFORMS) {
    const file = await checks.run(`Metro bundles the example for ${platform}`, () =>
      bundle(platform, entryOf(platform)),
    );
    if (file === undefined) continue;
    const code = await readFile(file, 'utf8');
    await checks.run(`${platform}: no server code is in the bundle`, () => assertNothingOfServer(code, project));
    await checks.run(`${platform}: the bundle has the platform's variants`, async () => assertVariants(code, platform));
    if (platform !== 'web') await checks.run(`${platform}: Hermes compiles the bundle`, () => compile(file));
  }

  for (const name of ['program.js', 'metro.program.config.js'])
    await cp(path.join(PARTS, name), path.join(project, name));
  await checks.run('with the URL classes of React Native: a deployed app', () =>
    checkProgram('ios', { dev: false, origin: 'https://native.example.com' }),
  );
  await checks.run('with the URL classes of React Native: an app under development', () =>
    checkProgram('android', { dev: true, origin: 'http://10.0.2.2:8082' }),
  );

  await checks.run('a route that a screen imports is an error with the chain', async () => {
    const leak = "import { GET } from '../app/hello+api';\nexport const loadHello = async () => String(GET);\n";
    await writeFile(path.join(project, 'client/load-hello.ts'), leak);
    await assert.rejects(bundle('ios', 'index.ts'), (error: Error) =>
      error.message.includes(
        'client/load-hello.ts: app/hello+api.ts runs on the server only, and the client would get it: ' +
          'index.ts → client/hello.tsx → client/load-hello.ts → app/hello+api.ts.',
      ),
    );
  });
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

function entryOf(platform: Platform): string {
  return platform === 'web' ? 'index.web.ts' : 'index.ts';
}

async function bundle(platform: Platform, entry: string, options: readonly string[] = []): Promise<string> {
  const out = path.join(project, 'dist', `${platform}-${entry}.js`);
  const metro = path.join(project, 'node_modules/.bin/metro');
  // Another worker would load Babel and its plugins again, which takes longer than it saves.
  const flags = ['--platform', platform, '--minify', 'false', '--max-workers', '1', '--out', out];
  // Metro's cache is in the temporary folder.
  await runCommand([metro, 'build', entry, ...flags, ...options], { cwd: project, env: { TMPDIR: scratch } });
  return out;
}

async function compile(file: string): Promise<void> {
  const hermes = HERMES[process.platform];
  assert.ok(hermes, `hermes-compiler has no program for ${process.platform}.`);
  const { resolve } = createRequire(path.join(project, 'package.json'));
  const folder = path.dirname(resolve('hermes-compiler/package.json'));
  const out = `${file}.hbc`;
  await runCommand([path.join(folder, 'hermesc', hermes), '-emit-binary', '-O', '-w', '-out', out, file], {
    cwd: project,
  });
  // The number at the beginning of Hermes bytecode.
  assert.equal((await readFile(out)).readBigUInt64LE(0), 0x1f1903c103bc1fc6n);
}

async function checkProgram(platform: Platform, { dev, origin }: { dev: boolean; origin: string }): Promise<void> {
  const flags = ['--config', 'metro.program.config.js', '--dev', String(dev)];
  assert.deepEqual(await runBundle(await bundle(platform, 'program.js', flags)), {
    greeting: 'Hello',
    asked: [
      `${origin}/hello?name=app`,
      `${origin}/items/a%20b?q=c%26d`,
      'https://other.example/hello',
      `${origin}/installed`,
      `${origin}/twice`,
    ],
    refused: REFUSED,
    isFullUrl: false,
    results: ['success', 'a/b', 'success', 'c/d'],
  });
}

async function checkServer(): Promise<void> {
  const appkit = path.join(project, 'node_modules/.bin/appkit');
  const command = [appkit, 'start', '--port', '0', '--host', '127.0.0.1'] as const;
  const server = await startServer({ command, folder: project, env: serverEnvironment, ready: / at (http:\S+)\s/m });
  try {
    const { greeting } = (await (await fetch(`${server.origin}/hello?name=app`)).json()) as { greeting: string }; // as the route says
    assert.match(greeting, /^Hello app! [\da-f]{8}$/);
  } finally {
    await server.stop();
  }
}
