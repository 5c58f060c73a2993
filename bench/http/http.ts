import { atLeast, atMost, median, toTable } from '../section.ts';
import type { Goal, Section } from '../section.ts';
import { startServer } from '../server-process.ts';
import type { RunningServer } from '../server-process.ts';
import type { Contestant, Group } from './contestants.ts';
import { chooseLoadGenerator } from './load.ts';
import type { Scenario } from './scenarios.ts';
import { compressed, everyday, fileScenarios, scenarios, smallScenarios } from './scenarios.ts';

/** What to measure, and for how long. */
export interface HttpOptions {
  groups: readonly Group[];
  /** The exported app. */
  build: string;
  rounds: number;
  seconds: number;
}

/** One slice of load on one server. */
interface Sample {
  name: string;
  scenario: string;
  round: number;
  requestsPerSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu: number;
}

const load = chooseLoadGenerator();

/**
 * Requests over loopback. Every slice runs in a process of its own, since an unlucky process stays unlucky for its
 * lifetime.
 */
export async function measureHttp(options: HttpOptions): Promise<Section[]> {
  const { build, rounds, seconds } = options;
  const groups = options.groups.map(leaveOutUnmeasured);
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const scenario of [...scenarios, everyday, compressed, ...fileScenarios]) {
      const concerned = groups.filter((group) => group.scenarios.includes(scenario));
      for (const contestant of shuffle(concerned.flatMap(({ baseline, others }) => [baseline, ...others]))) {
        samples.push({ ...(await measure(contestant, scenario, { build, seconds })), round });
      }
    }
    console.error(`http: round ${round} of ${rounds}`);
  }
  const how = `${rounds} rounds in random order. Each slice is a new process: 1 s to warm up, ${seconds} s measured by ${load.name}.`;
  return groups.map((group) => ({
    title: group.title,
    text: toText(group, samples, how),
    goals: toGoals(group, samples),
  }));
}

/** Deno, with or without an adapter, resets connections on which autocannon sends bodies. */
function leaveOutUnmeasured(group: Group): Group {
  if (load.name !== 'autocannon' || group.title !== 'Deno') return group;
  console.error('Not measured: Deno with request bodies, for which it resets connections of autocannon. Install wrk.');
  return { ...group, scenarios: group.scenarios.filter(({ body }) => body === undefined) };
}

async function measure(
  contestant: Contestant,
  scenario: Scenario,
  { build, seconds }: { build: string; seconds: number },
): Promise<Omit<Sample, 'round'>> {
  const server = await startServer(contestant, build);
  try {
    const answer = await assertCorrect(server, contestant, scenario);
    const sent = scenario.revalidates ? await toRevalidating(server, contestant, { scenario, answer }) : scenario;
    await load.run(server.url, sent, 1);
    const before = (await server.cpuTime()) ?? NaN;
    const { requests, requestsPerSecond } = await load.run(server.url, sent, seconds);
    const cpu = (((await server.cpuTime()) ?? NaN) - before) / requests;
    return { name: contestant.name, scenario: scenario.name, requestsPerSecond, cpu };
  } finally {
    await server.stop();
  }
}

// A server that is fast because it answers something else is not in the comparison.
async function assertCorrect(server: RunningServer, { name }: Contestant, scenario: Scenario): Promise<Headers> {
  const { path: target, method, headers, body, expected } = scenario;
  const response = await fetch(server.url + target, { method, headers, ...(body !== undefined && { body }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isRight =
    response.status === 200 && bytes.length === expected.bytes && bytes.toString().startsWith(expected.startsWith);
  if (!isRight || response.headers.has('content-encoding') !== (expected.isCoded ?? false))
    throw new Error(
      `${name} answers ${target} with ${response.status} and ${bytes.length} bytes: ${bytes.toString().slice(0, 80)}`,
    );
  return response.headers;
}

/** The scenario with the headers that a browser sends when it has the answer. */
async function toRevalidating(
  server: RunningServer,
  { name }: Contestant,
  { scenario, answer }: { scenario: Scenario; answer: Headers },
): Promise<Scenario> {
  const [tag, date] = [answer.get('etag'), answer.get('last-modified')];
  const headers = {
    ...scenario.headers,
    // Otherwise fetch() sends no-cache, which makes some servers send the file again.
    'cache-control': 'max-age=0',
    ...(tag === null ? {} : { 'if-none-match': tag }),
    ...(date === null ? {} : { 'if-modified-since': date }),
  };
  const { status } = await fetch(server.url + scenario.path, { headers });
  if (status !== 304) throw new Error(`${name} answers ${scenario.path} with ${status} to ${JSON.stringify(headers)}.`);
  return { ...scenario, headers };
}

function toText({ scenarios, baseline, others, note }: Group, samples: readonly Sample[], how: string): string {
  const header = ['server', ...scenarios.map(({ name }) => name)];
  const own = scenarios.map(({ name }) => {
    const [rate, cpu] = [figure(samples, baseline, name, 'requestsPerSecond'), figure(samples, baseline, name, 'cpu')];
    return `${Math.round(rate).toLocaleString('en-US')}/s, ${cpu.toFixed(1)} µs`;
  });
  const rows = others.map((other) => [
    other.name,
    ...scenarios.map(({ name }) => {
      const [rate, cpu] = [
        ratio(samples, [other, baseline], name, 'requestsPerSecond'),
        ratio(samples, [other, baseline], name, 'cpu'),
      ];
      return `**${rate.toFixed(2)}**, time ${cpu.toFixed(2)}×`;
    }),
  ]);
  return `${how} The first row shows requests per second and
processor time per request; the other rows are relative to it in the same round. Medians.${note === undefined ? '' : ` ${note}`}

${toTable(header, [[baseline.name, ...own], ...rows])}`;
}

type Figure = 'requestsPerSecond' | 'cpu';

function figure(samples: readonly Sample[], { name }: Contestant, scenario: string, which: Figure): number {
  return median(figuresOf(samples, name, scenario, which));
}

/** One slice of each round, in order. */
function figuresOf(samples: readonly Sample[], name: string, scenario: string, which: Figure): number[] {
  return samples
    .filter((sample) => sample.name === name && sample.scenario === scenario)
    .map((sample) => sample[which]);
}

function ratio(
  samples: readonly Sample[],
  [one, other]: readonly [Contestant, Contestant],
  scenario: string,
  which: Figure,
): number {
  const others = figuresOf(samples, other.name, scenario, which);
  // Round by round: the machine may be faster in one minute than in the next.
  return median(figuresOf(samples, one.name, scenario, which).map((figure, round) => figure / (others[round] ?? NaN)));
}

const SMALL = smallScenarios.map(({ name }) => name);

function toGoals({ title, scenarios, baseline, others }: Group, samples: readonly Sample[]): Goal[] {
  const find = (name: string): Contestant => others.find((other) => other.name === name) as Contestant; // named in contestants.ts
  const compare = (names: readonly [string, string | undefined], scenario: string, which: Figure): number => {
    const [one, other] = [find(names[0]), names[1] === undefined ? baseline : find(names[1])];
    return ratio(samples, [one, other], scenario, which);
  };
  if (title === 'Node') {
    const peers = others.slice(1);
    const toPeers = (scenario: string): number =>
      Math.min(...peers.map((peer) => compare(['appkit node', peer.name], scenario, 'requestsPerSecond')));
    const toRaw = (scenario: string, which: Figure): number => compare(['appkit node', undefined], scenario, which);
    return [
      ...SMALL.flatMap((scenario) => [
        atLeast(`node, ${scenario}: of raw`, toRaw(scenario, 'requestsPerSecond'), 0.92),
        atMost(`node, ${scenario}: processor time of raw`, toRaw(scenario, 'cpu'), { limit: 1.1 }),
        atLeast(`node, ${scenario}: of the best peer`, toPeers(scenario), 1.25),
      ]),
      atLeast('node, 10 KB echo: of raw', toRaw('10 KB echo', 'requestsPerSecond'), 0.97),
      atLeast('node, 10 KB echo: of the best peer', toPeers('10 KB echo'), 1),
      ...['1 MB stream', '1 MB upload piped back'].flatMap((scenario) => [
        atLeast(`node, ${scenario}: of raw`, toRaw(scenario, 'requestsPerSecond'), 1),
        atLeast(`node, ${scenario}: of the best peer`, toPeers(scenario), 1.5),
      ]),
    ];
  }
  if (title === 'Everyday') {
    const time = compare(['appkit node', undefined], everyday.name, 'cpu');
    return [atMost(`node, ${everyday.name}: processor time of hono`, time, { limit: 1.15 })];
  }
  if (title === 'Express') {
    return SMALL.flatMap((scenario) => [
      atLeast(
        `express, ${scenario}: of Express`,
        compare(['appkit express', undefined], scenario, 'requestsPerSecond'),
        1.05,
      ),
      atLeast(
        `express, ${scenario}: of raw code in one app.use`,
        compare(['appkit express', 'raw code in one app.use'], scenario, 'requestsPerSecond'),
        0.95,
      ),
    ]);
  }
  if (title === 'Compressed' || title === 'Files') {
    const [, peer] = others;
    return scenarios.flatMap(({ name }) => [
      atLeast(`node, ${name}: of ${baseline.name}`, compare(['appkit node', undefined], name, 'requestsPerSecond'), 1),
      atLeast(`node, ${name}: of ${peer?.name}`, compare(['appkit node', peer?.name], name, 'requestsPerSecond'), 1),
    ]);
  }
  const [adapter, ...peers] = others.map(({ name }) => name);
  const compareAdapter = (other: string | undefined, scenario: string): number =>
    compare([adapter ?? '', other], scenario, 'requestsPerSecond');
  return [
    ...scenarios.map(({ name }) =>
      atLeast(`${title}, ${name}: of the routes called directly`, compareAdapter(undefined, name), 0.95),
    ),
    ...peers.flatMap((peer) =>
      SMALL.map((name) => atLeast(`${title}, ${name}: of ${peer}`, compareAdapter(peer, name), 1)),
    ),
  ];
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
