/**
 * `npm run bench`: every server and every scenario, interleaved, in one run on one machine.
 *
 * `npm run bench -- --rounds 9 --seconds 2 --only "appkit node" --write` repeats more, measures longer, leaves others out (the
 * baseline stays) and writes docs/benchmarks.md.
 */
import { cpus } from 'node:os';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { contestants } from './contestants.ts';
import type { Contestant } from './contestants.ts';
import { chooseLoadGenerator } from './load.ts';
import { scenarios } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';
import { startServer } from './server-process.ts';
import type { RunningServer } from './server-process.ts';
import { toMarkdown } from './table.ts';
import type { Sample } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const chosen = choose(values.only);
const load = chooseLoadGenerator();

const running = new Map<string, RunningServer>();
try {
  for (const contestant of chosen) running.set(contestant.name, await startServer(contestant));
  for (const scenario of scenarios) await Promise.all(chosen.map((contestant) => assertCorrect(contestant, scenario)));

  const samples: Sample[] = [];
  for (let round = 0; round <= rounds; round++) {
    // The first round warms the code up and is not counted.
    for (const scenario of scenarios) {
      for (const { name } of shuffle(chosen)) {
        const sample = await measure(name, scenario, round === 0 ? 1 : seconds);
        if (round > 0) samples.push({ ...sample, round });
      }
    }
    console.error(round === 0 ? 'warm' : `round ${round} of ${rounds}`);
  }

  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
  const settings = `${rounds} rounds of ${seconds} s by ${load.name}, 20 request headers`;
  const table = toMarkdown({ samples, contestants: chosen, scenarios, caption: `${machine}. ${settings}.` });
  console.log(table);
  if (values.write) await writeFile(path.join(import.meta.dirname, '../docs/benchmarks.md'), table);
} finally {
  await Promise.all([...running.values()].map((server) => server.stop()));
}

function choose(only: string[] | undefined): readonly Contestant[] {
  if (!only) return contestants;
  const unknown = only.find((name) => !contestants.some((contestant) => contestant.name === name));
  if (unknown) throw new Error(`There is no ${unknown}. There are: ${contestants.map(({ name }) => name).join(', ')}.`);
  const baselines = contestants.filter(({ name }) => only.includes(name)).map(({ baseline }) => baseline);
  return contestants.filter(({ name }) => only.includes(name) || baselines.includes(name));
}

async function assertCorrect(
  { name }: Contestant,
  { path: target, method, headers, body, expected }: Scenario,
): Promise<void> {
  const server = running.get(name) as RunningServer; // all were started
  const response = await fetch(server.url + target, { method, headers, ...(body !== undefined && { body }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isRight =
    response.status === 200 && bytes.length === expected.bytes && bytes.toString().startsWith(expected.startsWith);
  if (!isRight)
    throw new Error(
      `${name} answers ${target} with ${response.status} and ${bytes.length} bytes: ${bytes.toString().slice(0, 80)}`,
    );
}

async function measure(name: string, scenario: Scenario, duration: number): Promise<Omit<Sample, 'round'>> {
  const server = running.get(name) as RunningServer; // all were started
  const before = await server.cpuTime();
  const { requests, requestsPerSecond } = await load.run(server.url, scenario, duration);
  const after = await server.cpuTime();
  const cpu = before === undefined || after === undefined ? undefined : (after - before) / requests;
  return { name, scenario: scenario.name, requestsPerSecond, ...(cpu !== undefined && { cpu }) };
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
