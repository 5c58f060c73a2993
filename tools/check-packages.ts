/**
 * `npm run packages`, first part: installs the packed tarballs in folders outside the repository and uses them as users
 * do, with import and with require, in ES module and CommonJS projects, on the oldest Node that each supports.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportApps } from '../conformance/exported-apps.ts';
import { startChecks } from './checks.ts';
import { install, installNode } from './install.ts';
import { packPackages } from './pack.ts';
import { checkConformanceTool } from './packages/conformance-tool.ts';
import { checkSignIn } from './packages/sign-in.ts';
import { checkConsumerTypes } from './packages/consumer-types.ts';
import { checkExchanges, fixtureExchanges, helloExchanges } from './packages/exchanges.ts';
import { startHostProject } from './packages/host-project.ts';
import { checkContents } from './packages/tarball-contents.ts';
import { checkUriScheme } from './packages/uri-scheme.ts';
import { createProject } from './project.ts';
import { runCommand } from './run-command.ts';

const OLDEST_NODE = { server: '20.19.0', cli: '22.12.0' };
const WAYS = [
  { type: 'module', how: 'import' },
  { type: 'module', how: 'require' },
  { type: 'commonjs', how: 'import' },
  { type: 'commonjs', how: 'require' },
] as const;
const EXAMPLE = path.resolve(import.meta.dirname, '../examples/hello');

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-packages-'));
try {
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  const serverTarball = tarballs['appkit-server'] as string; // one of the packed packages
  const node20 = await installNode(OLDEST_NODE.server, path.join(scratch, 'oldest-server-node'));
  const node22 = await installNode(OLDEST_NODE.cli, path.join(scratch, 'oldest-cli-node'));

  await checks.run('a tarball contains only its manifest, README, LICENSE and the compiled files', () =>
    checkContents(tarballs),
  );

  const hello = path.join(scratch, 'hello');
  await createProject({ from: EXAMPLE, into: hello, tarballs });
  const cli = path.join(hello, 'node_modules/appkit-cli/bin/appkit.js');
  // The configs that this config consists of are looked up by name, and some of these names would be below a file.
  await writeFile(path.join(hello, 'tsconfig.base.json'), '{}');
  await writeFile(path.join(hello, 'tsconfig.json'), '{ "extends": "./tsconfig.base.json" }');
  await checks.run(`appkit export runs on Node ${OLDEST_NODE.cli}`, () =>
    runCommand([node22, cli, 'export', '-p', 'web'], { cwd: hello }),
  );
  await checks.run(`appkit on Node ${OLDEST_NODE.server} says which Node it needs`, async () => {
    const error = await runCommand([node20, cli, 'export'], { cwd: hello }).then(() => undefined, String);
    if (!error?.includes('needs Node 22.12 or later') || !error.includes(OLDEST_NODE.server))
      throw new Error(`It said: ${error}`);
  });

  const alone = path.join(scratch, 'alone');
  await install(alone, [serverTarball]);
  await checks.run('appkit-server installs no other package', async () => {
    const packages = (await readdir(path.join(alone, 'node_modules'))).filter((name) => !name.startsWith('.'));
    if (packages.join() !== 'appkit-server') throw new Error(`It brought ${packages.join(', ')}.`);
  });

  const tool = path.join(scratch, 'conformance-tool');
  await install(tool, [tarballs['appkit-conformance'] as string]); // packed as well
  await checks.run('appkit-conformance tests a complete server and one that loses cookies', () =>
    checkConformanceTool(tool, alone),
  );

  const signIn = path.join(scratch, 'sign-in');
  const signInNames = ['appkit-crypto', 'appkit-web-browser', 'appkit-auth-session'];
  await install(
    signIn,
    signInNames.map((name) => tarballs[name] as string), // packed as well
  );
  // The digests for React Native are the only part of @noble that is loaded, and only there.
  await checks.run(
    'the sign-in packages install oauth4webapi, jose and @noble/hashes, and no other package',
    async () => {
      const packages = (await readdir(path.join(signIn, 'node_modules'))).filter((name) => !name.startsWith('.'));
      if (packages.join() !== [...signInNames, '@noble', 'jose', 'oauth4webapi'].toSorted().join()) {
        throw new Error(`They brought ${packages.join(', ')}.`);
      }
    },
  );
  await checks.run(`appkit-auth-session makes a request on Node ${OLDEST_NODE.server}`, () =>
    checkSignIn(node20, signIn),
  );

  const uriScheme = path.join(scratch, 'uri-scheme');
  await install(uriScheme, [tarballs['appkit-uri-scheme'] as string]); // packed as well
  await checks.run(`uri-scheme edits the templates of React Native and Expo on Node ${OLDEST_NODE.server}`, () =>
    checkUriScheme(node20, uriScheme),
  );

  await mkdir(path.join(scratch, 'conformance'));
  const { folders } = await exportApps(path.join(scratch, 'conformance'), { apps: ['app'], strict: false });
  const apps = [
    { name: 'the example', dist: path.join(hello, 'dist'), exchanges: helloExchanges },
    { name: 'the conformance app', dist: path.join(folders.app, 'dist'), exchanges: fixtureExchanges },
  ];
  const host = path.join(scratch, 'host');
  await install(host, [serverTarball, 'express@5.3.0']);
  const nodes = [
    [OLDEST_NODE.server, node20],
    [process.versions.node, process.execPath],
  ] as const;
  const nodeModules = path.join(host, 'node_modules');
  for (const { name, dist, exchanges } of apps) {
    for (const { type, how } of WAYS) {
      for (const [version, node] of nodes) {
        await checks.run(`"type": "${type}", ${how}, Node ${version}: node and express host ${name}`, async () => {
          const folder = await mkdtemp(path.join(scratch, 'project-'));
          const { server, origins } = await startHostProject({ folder, dist, nodeModules, type, how, node });
          try {
            for (const origin of origins) await checkExchanges(origin, exchanges);
          } finally {
            await server.stop();
          }
        });
      }
    }
  }

  const consumer = path.join(scratch, 'consumer');
  await install(consumer, [serverTarball, 'typescript@7.0.2', '@types/node@24.19.2']);
  for (const resolution of ['nodenext', 'bundler'] as const) {
    await checks.run(`a consumer type-checks with moduleResolution ${resolution}, without other hosts' types`, () =>
      checkConsumerTypes(consumer, resolution),
    );
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();
