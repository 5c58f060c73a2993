import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMemoryFolder } from '../tools/memory-folder.ts';
import { runCommand } from '../tools/run-command.ts';
import type { Contestant } from './http/contestants.ts';
import { atMost, median, toTable } from './section.ts';
import type { Section } from './section.ts';
import { startServer } from './server-process.ts';
import { timeCommand } from './time-command.ts';

const ROUNDS = 5;
const COLD_STARTS = 15;
/** Hosts that start a process for each request. */
const COLD_HOSTS = ['aws-lambda', 'vercel'];

/** Routes and middleware that share a library and a connection pool: what it costs to have each module only once. */
export async function measureSharedModules(): Promise<Section> {
  // On a disk that is slow to create files, the time of 2,000 of them hides everything else.
  const folder = await mkdtemp(path.join((await findMemoryFolder()) ?? tmpdir(), 'appkit-bench-shared-'));
  try {
    const thousand = path.join(folder, 'thousand');
    await writeApp(thousand, 1000);
    const timeFirst = async (made: readonly string[], ...command: [string, ...string[]]): Promise<number> => {
      // As the first of its kind: to delete or overwrite files takes other times than to create them.
      for (const name of made) await rm(path.join(thousand, name), { recursive: true, force: true });
      return (await timeCommand(command)).seconds;
    };
    const bundle = (mode: string): Promise<number> =>
      timeFirst([`out/${mode}`], process.execPath, 'bundle-once.mjs', thousand, mode);
    const times = { exported: [] as number[], shared: [] as number[], ordered: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.exported.push(await timeFirst(['dist', '.appkit'], 'appkit', 'export', '-p', 'web', thousand));
      times.shared.push(await bundle('shared'));
      times.ordered.push(await bundle('ordered'));
      console.error(`shared-modules: round ${round + 1} of ${ROUNDS}`);
    }
    const build = path.join(thousand, 'dist/server');
    const [ours, shared, ordered] = [
      await sizeOfCode(path.join(build, '_appkit')),
      await sizeOfCode(path.join(thousand, 'out/shared')),
      await sizeOfCode(path.join(thousand, 'out/ordered')),
    ];
    const { size: entry } = await stat(path.join(build, 'index.js'));
    const { mebibytes, pools } = await answerAll(build, 1000);
    const exported = median(times.exported);

    const twoHundred = path.join(folder, 'two-hundred');
    await writeApp(twoHundred, 200);
    await runCommand(['appkit', 'export', '-p', 'web', twoHundred], { cwd: import.meta.dirname });
    const cold = await measureColdStarts(path.join(twoHundred, 'dist/server'));

    const text = `Routes of four lines, and middleware, import one module with zod and a pool. \`rolldown once\` is one run of the bundler with
shared chunks and no code of ours. \`in order\` adds its option strictExecutionOrder, which an export sets too: without it, a
polyfill may run after the code that needs it. Seconds are the time of a process from start to end, which finds no files of an earlier one: median of ${ROUNDS}, alternating. The files
are in memory if the machine has enough.
The bytes are those of modules. An export adds to each the line that names its source map and, in a route, the line that binds
Request and Response. \`index.js\`, which bundlers read in place of the manifest, has ${entry.toLocaleString('en-US')} bytes more.

${toTable(
  ['1,000 routes', 'seconds', 'bytes of code'],
  [
    ['appkit export', exported.toFixed(2), ours.toLocaleString('en-US')],
    ['rolldown once, in order', median(times.ordered).toFixed(2), ordered.toLocaleString('en-US')],
    ['rolldown once', median(times.shared).toFixed(2), shared.toLocaleString('en-US')],
  ],
)}

After each of the 1,000 routes has answered once, the server on Node has an RSS of ${mebibytes.toFixed(0)} MiB and ${pools} pool(s).

Cold start of an app with 200 such routes: a new Node process loads the adapter and the server build and answers a first
request. Median of ${COLD_STARTS}. What the platform does before that is not included.

${toTable(
  ['adapter', 'ms from the start of the process', 'of which after Node itself is up'],
  cold.map(({ host, total, own }) => [host, total.toFixed(0), own.toFixed(0)]),
)}`;
    const goals = [
      atMost('1,000 routes that share zod: bytes, of rolldown once, in order', ours / ordered, { limit: 1.2 }),
      atMost('1,000 routes that share zod: time, of rolldown once, in order', exported / median(times.ordered), {
        limit: 1.5,
      }),
      atMost('1,000 routes that share zod: RSS when all have answered', mebibytes, { limit: 200, unit: ' MiB' }),
      atMost('1,000 routes that share a module: pools', pools, { limit: 1 }),
    ];
    return { title: 'Shared modules', text, goals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeApp(folder: string, count: number): Promise<void> {
  const write = (name: string, code: string): Promise<void> => writeFile(path.join(folder, name), code);
  await mkdir(path.join(folder, 'app'), { recursive: true });
  await mkdir(path.join(folder, 'lib'));
  await cp(path.join(import.meta.dirname, 'app/app.json'), path.join(folder, 'app.json'));
  await write('package.json', '{ "private": true }');
  await symlink(path.join(import.meta.dirname, 'node_modules'), path.join(folder, 'node_modules'));
  await write(
    'lib/db.ts',
    `import { z } from 'zod';
const counter = globalThis as { pools?: number };
counter.pools = (counter.pools ?? 0) + 1;
export const Row = z.object({ id: z.number() });
export const countPools = (): number => counter.pools ?? 0;
`,
  );
  await write(
    'app/+middleware.ts',
    `import { countPools } from '../lib/db.ts';
export default (): Response | undefined => (countPools() < 0 ? new Response('never') : undefined);
`,
  );
  // The benchmarks of hosts request /text.
  for (const name of ['text', ...Array.from({ length: count - 1 }, (_, index) => `route${index}`)]) {
    await write(
      `app/${name}+api.ts`,
      `import { z } from 'zod';
import { countPools, Row } from '../lib/db.ts';
const Input = Row.extend({ ${name}: z.string() });
export const GET = (): Response => Response.json([countPools(), Input.parse({ id: 1, ${name}: 'a' }).id]);
`,
    );
  }
}

async function sizeOfCode(folder: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Requests each route of an app once. */
async function answerAll(build: string, count: number): Promise<{ mebibytes: number; pools: number }> {
  const contestant: Contestant = { name: 'appkit node', command: [process.execPath, 'servers/appkit-node.mjs'] };
  const server = await startServer(contestant, build);
  try {
    let pools = NaN;
    for (let index = 0; index < count - 1; index++) {
      const response = await fetch(`${server.url}/route${index}`);
      if (!response.ok) throw new Error(`/route${index} was answered ${response.status}.`);
      [pools = NaN] = (await response.json()) as number[]; // what the route gives
    }
    return { mebibytes: (await server.memory()) ?? NaN, pools };
  } finally {
    await server.stop();
  }
}

async function measureColdStarts(build: string): Promise<{ host: string; total: number; own: number }[]> {
  const script = path.join(import.meta.dirname, 'overhead/cold-start.ts');
  const measured = COLD_HOSTS.map((host) => ({ host, totals: [] as number[], owns: [] as number[] }));
  for (let round = 0; round < COLD_STARTS; round++) {
    for (const { host, totals, owns } of measured) {
      const output = await runCommand([process.execPath, script, host, build], { cwd: import.meta.dirname });
      const { total, own } = JSON.parse(output) as { total: number; own: number }; // what the script prints
      totals.push(total);
      owns.push(own);
    }
  }
  return measured.map(({ host, totals, owns }) => ({ host, total: median(totals), own: median(owns) }));
}
