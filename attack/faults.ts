import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../conformance/generic/raw-http.ts';
import type { Connection } from '../conformance/generic/raw-http.ts';
import type { PreparedHost } from '../conformance/hosts.ts';
import { startServer } from '../conformance/server-process.ts';
import { cli, copyApp } from './export-app.ts';
import { judgeNext } from './judge.ts';
import type { Random } from './random.ts';
import { start } from './start-host.ts';

/** A failure below a server or an export. `run` returns what is wrong with the reaction to it. */
export interface Fault {
  name: string;
  run(random: Random): Promise<string[]>;
}

/** Ends the wait for an event that never comes. */
const FUSE_MS = 60_000;

const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

/** What can break while a host serves. Each fault is tried on a copy of the host. */
export function serverFaults(prepared: PreparedHost, { folder }: { folder: string }): Fault[] {
  const copyHost = async (name: string): Promise<PreparedHost> => {
    const copy = path.join(folder, `${prepared.name}-${name}`);
    await cp(prepared.local.folders.app, copy, { recursive: true, verbatimSymlinks: true });
    return { ...prepared, local: { ...prepared.local, folders: { app: copy } } };
  };
  const refusesToStart = async (
    name: string,
    damage: (manifest: string) => Promise<void>,
    message: RegExp,
  ): Promise<string[]> => {
    const host = await copyHost(name);
    await damage(path.join(host.local.folders.app, 'dist/server/_appkit/routes.json'));
    const output = await start(host).then(
      async (server) => (await server.stop(), 'It started.'),
      (error: Error) => error.message,
    );
    return message.test(output) ? [] : [`it printed ${output.slice(0, 600)}`];
  };
  const changeManifest =
    (change: (manifest: Record<string, unknown>) => void) =>
    async (file: string): Promise<void> => {
      const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>; // of our own export
      change(manifest);
      await writeFile(file, JSON.stringify(manifest));
    };
  return [
    {
      name: 'a route module that throws at load is loaded again by the next request',
      async run(random) {
        const host = await copyHost('at-load');
        const server = await start(host);
        const first = await fetch(`${server.origin}/at-load`);
        const wrong = first.status === 500 ? [] : [`the first answer was ${first.status}`];
        await writeFile(path.join(host.local.folders.app, 'ready.txt'), 'ready');
        const second = await (await fetch(`${server.origin}/at-load`)).text();
        if (second !== 'ready') wrong.push(`the next answer was ${second}`);
        return [...wrong, ...(await judgeNext(server.origin, random.token())), ...(await endsWell(server))];
      },
    },
    {
      name: 'the build vanishes while it is served, and comes back',
      async run(random) {
        const host = await copyHost('vanishes');
        const server = await start(host);
        const wrong = await judgeNext(server.origin, random.token());
        const dist = path.join(host.local.folders.app, 'dist');
        await rename(dist, `${dist}-away`);
        // A route that is loaded still answers; another route, and a file, get a regular error answer.
        wrong.push(...(await judgeNext(server.origin, random.token())));
        const missing = await fetch(`${server.origin}/echo`);
        const said = await missing.text();
        if (missing.status !== 500 || said !== 'Internal server error')
          wrong.push(`a route that is gone: ${missing.status} ${said}`);
        const file = await fetch(`${server.origin}/file.txt`).then(
          async (response) => (await response.text(), response.status),
          (error: Error) => String(error.cause ?? error),
        );
        if (file !== 404 && file !== 500) wrong.push(`a file that is gone: ${file}`);
        await rename(`${dist}-away`, dist);
        for (const path of ['/echo', '/file.txt']) {
          const { status } = await fetch(server.origin + path);
          if (status !== 200) wrong.push(`${path} after all is back: ${status}`);
        }
        return [...wrong, ...(await endsWell(server))];
      },
    },
    {
      name: 'a manifest that is cut off',
      run: () =>
        refusesToStart(
          'cut',
          async (file) => writeFile(file, (await readFile(file)).subarray(0, 100)),
          /routes\.json.*(?:Export the app again|appkit export)/s,
        ),
    },
    {
      name: 'an empty manifest',
      run: () =>
        refusesToStart(
          'empty',
          async (file) => writeFile(file, ''),
          /routes\.json.*(?:Export the app again|appkit export)/s,
        ),
    },
    {
      name: 'a manifest of a later version',
      run: () =>
        refusesToStart(
          'later',
          changeManifest((manifest) => (manifest['version'] = 999)),
          /manifest version 999.*Install the release/s,
        ),
    },
    {
      name: 'a manifest without a version',
      run: () =>
        refusesToStart(
          'unknown',
          changeManifest((manifest) => delete manifest['version']),
          /has no version.*appkit export/s,
        ),
    },
    {
      name: 'a manifest that is something else',
      run: () =>
        refusesToStart('else', (file) => writeFile(file, '[]'), /not a server build|has no version.*appkit export/s),
    },
    {
      name: 'no build at all',
      run: () => refusesToStart('none', (file) => rm(file), /There is no server build.*appkit export/s),
    },
  ];
}

async function endsWell(server: Awaited<ReturnType<typeof start>>): Promise<string[]> {
  const { code, output } = await server.stop();
  return code === 0 ? [] : [`the process ended with ${code}: ${output.slice(-500)}`];
}

/** What can break while an app is exported, or served with `appkit serve`. */
export function commandFaults({ folder, kills }: { folder: string; kills: number }): Fault[] {
  return [
    {
      name: 'a file that cannot be written in full (EFBIG, as a full disk)',
      async run() {
        const app = await exportedApp(path.join(folder, 'full'));
        await setVersion(app, 2);
        // In blocks of 1024 bytes: the bundles are smaller than the limit, the public file is not.
        const { code, output } = await runExport(app, ['bash', '-c', 'ulimit -f 64 && exec "$@"', 'limited']);
        const wrong = code === 0 ? ['the export says that it succeeded'] : [];
        if (!output.includes('EFBIG')) wrong.push(`it printed ${output.slice(0, 500)}`);
        if ((await stateOf(app)) !== 'version 1') wrong.push(`dist is ${await stateOf(app)}`);
        return [...wrong, ...(await leftovers(app)), ...(await exportsAgain(app, 3))];
      },
    },
    {
      name: `an export killed at ${kills} random moments`,
      async run(random) {
        const app = await exportedApp(path.join(folder, 'killed'));
        const started = performance.now();
        await runExport(app);
        const whole = performance.now() - started;
        const wrong: string[] = [];
        let version = 1;
        for (let kill = 0; kill < kills; kill++) {
          await setVersion(app, ++version);
          const child = spawnExport(app);
          const ended = once(child, 'close');
          await Promise.race([delay((whole * (random.below(1000) + 1)) / 1000), ended]);
          child.kill('SIGKILL');
          await ended;
          wrong.push(...(await servesWhole(app, version)).map((problem) => `kill ${kill + 1}: ${problem}`));
          // The next export then has the same version as this one.
          if ((await stateOf(app)) !== `version ${version}`) wrong.push(...(await exportsAgain(app, version)));
        }
        return wrong;
      },
    },
    {
      name: 'an export killed before each of its renames',
      async run() {
        const app = await exportedApp(path.join(folder, 'renames'));
        const wrong: string[] = [];
        let version = 1;
        for (let at = 1; ; at++) {
          await setVersion(app, ++version);
          const preload = path.join(import.meta.dirname, 'killed-at-rename.mjs');
          const { code } = await runExport(app, [], {
            NODE_OPTIONS: `--import=${preload}`,
            APPKIT_ATTACK_RENAME: String(at),
          });
          if (code === 0) {
            if (at < 4) wrong.push(`it made ${at - 1} renames only`);
            return wrong;
          }
          wrong.push(...(await servesWhole(app, version)).map((problem) => `before rename ${at}: ${problem}`));
          wrong.push(...(await exportsAgain(app, version)));
        }
      },
    },
    {
      name: 'two exports at once',
      async run() {
        const app = await exportedApp(path.join(folder, 'two'));
        const wrong: string[] = [];
        for (let version = 2; version < 7; version++) {
          await setVersion(app, version);
          const both = await Promise.all([runExport(app), runExport(app)]);
          for (const { code, output } of both) if (code !== 0) wrong.push(`one failed: ${output.slice(0, 500)}`);
          const state = await stateOf(app);
          if (state !== `version ${version}`)
            wrong.push(`dist is ${state}: ${both.map(({ output }) => output.slice(-300)).join('\n')}`);
          wrong.push(...(await servesWhole(app, version)), ...(await leftovers(app)));
        }
        return wrong;
      },
    },
    {
      name: 'no more file descriptors (EMFILE) for appkit serve',
      async run(random) {
        const app = await exportedApp(path.join(folder, 'emfile'));
        const server = await startServer({
          command: ['bash', '-c', 'ulimit -n 64 && exec "$@"', 'limited', ...cli, 'serve', '--port', '0'],
          folder: app,
          env,
          ready: /at (http:\/\/\S+)/,
        });
        const held: Connection[] = [];
        const wrong: string[] = [];
        try {
          for (let index = 0; index < 100; index++) held.push(await connect(server.origin));
          // An accepted connection is answered, even if only to say that its route cannot be read now.
          await held[0]?.write('GET /echo HTTP/1.1\r\nHost: x\r\n\r\n');
          const status = (await held[0]?.response())?.status;
          if (status !== 200 && status !== 500) wrong.push(`under pressure: ${status}`);
        } finally {
          for (const connection of held) connection.destroy();
        }
        // The server learns later that they are gone.
        const fuse = Date.now() + FUSE_MS;
        let next = await judgeNext(server.origin, random.token());
        while (next.length > 0 && Date.now() < fuse) next = await judgeNext(server.origin, random.token());
        wrong.push(...next);
        const { status } = await fetch(`${server.origin}/echo`);
        if (status !== 200) wrong.push(`afterwards: ${status}`);
        return [...wrong, ...(await endsWell(server))];
      },
    },
  ];
}

/** A separate app, exported in version 1. */
async function exportedApp(folder: string): Promise<string> {
  await mkdir(folder);
  const app = await copyApp(path.join(folder, 'app'));
  await setVersion(app, 1);
  const { code, output } = await runExport(app);
  if (code !== 0) throw new Error(output);
  return app;
}

/** Changes the app, both in what is exported last and in what is exported first. */
async function setVersion(app: string, version: number): Promise<void> {
  await writeFile(
    path.join(app, 'app/version+api.ts'),
    `export function GET() { return new Response('version ${version}'); }\n`,
  );
  await writeFile(path.join(app, 'public/version.txt'), `version ${version}\n${'x'.repeat(200_000)}`);
}

function spawnExport(
  app: string,
  before: readonly string[] = [],
  more: Record<string, string> = {},
): ReturnType<typeof spawn> {
  const [file = '', ...args] = [...before, ...cli, 'export', '-p', 'web'];
  return spawn(file, args, { cwd: app, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function runExport(
  app: string,
  before?: readonly string[],
  more?: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawnExport(app, before, more);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const [[code], ...printed] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    ...streams.map((stream) => text(stream)),
  ]);
  return { code, output: printed.join('') };
}

/** The version in `dist`, or in what way it is broken. */
async function stateOf(app: string): Promise<string> {
  const dist = path.join(app, 'dist');
  const read = (file: string): Promise<string | undefined> =>
    readFile(path.join(dist, file), 'utf8').catch(() => undefined);
  const inClient = /^version (\d+)/.exec((await read('client/version.txt')) ?? '')?.[1];
  const inServer = /version (\d+)/.exec((await read('server/_appkit/functions/version+api.js')) ?? '')?.[1];
  const names = await readdir(dist).catch(() => []);
  const isCut =
    inClient !== undefined && (await read('client/version.txt'))?.length !== `version ${inClient}\n`.length + 200_000;
  if (isCut) return 'cut off';
  if (inClient !== undefined && inClient === inServer) {
    const index = await read('server/index.js');
    return index?.includes('version+api.js') ? `version ${inClient}` : 'without an index';
  }
  return `in parts: client of version ${inClient}, server of version ${inServer}, among ${names.join()}`;
}

/** After an export was killed, `appkit serve` has to find its version or the previous one, complete. */
async function servesWhole(app: string, version: number): Promise<string[]> {
  const server = await startServer({
    command: [...cli, 'serve', '--port', '0'],
    folder: app,
    env,
    ready: /at (http:\/\/\S+)/,
  });
  const [fromRoute, file = ''] = await Promise.all(
    ['/version', '/version.txt'].map(async (path) => (await fetch(server.origin + path)).text()),
  );
  const wrong = await endsWell(server);
  const state = await stateOf(app);
  const isWhole = [`version ${version - 1}`, `version ${version}`].includes(state);
  if (!isWhole) wrong.push(`dist is ${state}`);
  if (fromRoute !== state || !file.startsWith(`${state}\n`)) {
    wrong.push(`dist is ${state}, and answers are ${fromRoute} and ${file.slice(0, 20)}`);
  }
  return wrong;
}

async function exportsAgain(app: string, version: number): Promise<string[]> {
  await setVersion(app, version);
  const { code, output } = await runExport(app);
  const state = await stateOf(app);
  const wrong = code === 0 ? [] : [`the next export failed: ${output.slice(0, 500)}`];
  if (state !== `version ${version}`) wrong.push(`after the next export dist is ${state}`);
  return [...wrong, ...(await leftovers(app))];
}

async function leftovers(app: string): Promise<string[]> {
  const left = (await readdir(app)).filter((name) => /^\.dist[-.]/.test(name));
  return left.length === 0 ? [] : [`left behind: ${left.join(', ')}`];
}
