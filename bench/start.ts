import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Contestant } from './http/contestants.ts';
import { atMost, median, toTable } from './section.ts';
import type { Section } from './section.ts';
import { startServer } from './server-process.ts';

const ROUNDS = 15;

/** The time from the start of a process to its first answer. */
export async function measureStart(): Promise<Section> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-bench-start-'));
  try {
    const [few, many] = [
      await writeBuild(path.join(folder, 'few'), 10),
      await writeBuild(path.join(folder, 'many'), 10_000),
    ];
    const raw: Contestant = { name: 'raw node:http', command: [process.execPath, 'servers/raw.mjs'] };
    const ours: Contestant = { name: 'appkit node', command: [process.execPath, 'servers/appkit-node.mjs'] };
    const cases = [
      { name: 'raw node:http', contestant: raw, build: few, times: [] as number[] },
      { name: 'appkit node, 10 routes', contestant: ours, build: few, times: [] as number[] },
      { name: 'appkit node, 10,000 routes', contestant: ours, build: many, times: [] as number[] },
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const one of cases) one.times.push(await timeStart(one.contestant, one.build));
    }
    const [bare = NaN, small = NaN, large = NaN] = cases.map(({ times }) => median(times));
    const text = `Time from the start of a process to its first answer. Median of ${ROUNDS}, alternating.

${toTable(
  ['server', 'ms'],
  cases.map(({ name, times }) => [name, median(times).toFixed(0)]),
)}`;
    const goals = [
      atMost('start, 10 routes: over raw node:http', small - bare, { limit: 10, unit: ' ms' }),
      atMost('start, 10,000 routes: over 10', large - small, { limit: 25, unit: ' ms' }),
    ];
    return { title: 'Start', text, goals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function timeStart(contestant: Contestant, build: string): Promise<number> {
  const start = performance.now();
  const server = await startServer(contestant, build);
  await (await fetch(`${server.url}/text`)).text();
  const taken = performance.now() - start;
  await server.stop();
  return taken;
}

// As the export writes it, but without the thousands of files, of which a first request reads only one.
async function writeBuild(folder: string, count: number): Promise<string> {
  await mkdir(path.join(folder, '_appkit/functions'), { recursive: true });
  const names = ['text', ...Array.from({ length: count - 1 }, (_, index) => `area${index % 50}/item${index}/[id]`)];
  const routes = names.map((name) => ({
    pattern: `/${name}`,
    file: `_appkit/functions/${name}+api.js`,
    methods: ['GET'],
  }));
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content);
  await write('package.json', '{"type":"commonjs"}');
  await write('_appkit/routes.json', JSON.stringify({ version: 1, routes, boundFetch: true }, null, 2));
  await write('_appkit/functions/text+api.js', `exports.GET = async () => new Response('Hello, world!');`);
  return folder;
}
