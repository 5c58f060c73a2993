import { writeFile } from 'node:fs/promises';
import { describeReason } from '../behaviour.ts';
import { toJUnit } from '../report-files.ts';
import { count } from '../results.ts';
import type { BehaviourResult, Outcome } from '../results.ts';
import { badge } from './badge.ts';
import type { BadgeCounts } from './badge.ts';
import { parseOptions, usage } from './options.ts';
import type { Options } from './options.ts';
import { runBehaviours } from './run-behaviours.ts';
import { startServer } from './start-server.ts';
import { askForHello } from './tested-server.ts';
import type { TestedServer } from './tested-server.ts';
import { loadBehaviours, topics } from './topics.ts';
import type { TopicBehaviour } from './topics.ts';

/** Runs the command and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<0 | 1 | 2> {
  // An abandoned behaviour may still fail, and nothing waits for it any more.
  process.on('unhandledRejection', () => {});
  try {
    return await run(parseOptions(args));
  } catch (error) {
    console.error(`error: ${(error as Error).message}\nThe options are listed by: appkit-conformance --help`);
    return 2;
  }
}

async function run(options: Options): Promise<0 | 1> {
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const behaviours = await choose(options);
  if (options.list) {
    for (const { topic, name, reason } of behaviours) console.log(`${topic}: ${name} (${describeReason(reason)})`);
    return 0;
  }
  const server = await reach(options);
  try {
    console.log(`Asking ${server.url.href} for ${behaviours.length} behaviours.`);
    const outcome = await runBehaviours(behaviours, server, { ...options, ended: printFailure });
    for (const problem of outcome.problems) console.log(problem);
    const counts = countFailures(outcome, behaviours);
    await writeFiles(options, outcome, { name: options.start ?? server.url.href, counts });
    const { passed, failedStandards, failedQuality } = counts;
    const rest = count(outcome, 'not-applicable');
    console.log(
      `${passed} passed. ${failedStandards + failedQuality} failed: ${failedStandards} of a standard, ${failedQuality} of quality.` +
        (rest === 0 ? '' : ` ${rest} not applicable.`),
    );
    return failedStandards + failedQuality + outcome.problems.length === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

async function choose({ topics: wanted, standardsOnly }: Options): Promise<readonly TopicBehaviour[]> {
  const unknown = wanted.filter((topic) => !topics().includes(topic));
  if (unknown.length > 0) {
    throw new Error(`No topic is called ${unknown.join(', ')}. There are: ${topics().join(', ')}.`);
  }
  const all = await loadBehaviours();
  return all.filter(
    ({ topic, reason }) => (wanted.length === 0 || wanted.includes(topic)) && (!standardsOnly || 'standard' in reason),
  );
}

async function reach({ url: text, start }: Options): Promise<TestedServer> {
  if (start !== undefined) return startServer(start);
  const url = URL.parse(text ?? '');
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`--url takes a whole URL such as https://fixture.example, not ${text}.`);
  }
  const answer = await askForHello(url, 15_000);
  if (answer !== null) throw new Error(`${url.href} does not serve the fixture: ${answer}.`);
  return { url, end: async () => null, stop: async () => {} };
}

function printFailure({ topic, name, source, state, error = '' }: BehaviourResult): void {
  if (state === 'failed')
    console.log(`FAILED ${topic}: ${name} (${source})\n       ${error.replaceAll('\n', '\n       ')}`);
}

function countFailures(outcome: Outcome, behaviours: readonly TopicBehaviour[]): BadgeCounts {
  const failed = new Set(outcome.behaviours.filter(({ state }) => state === 'failed').map(({ name }) => name));
  const failedStandards = behaviours.filter(({ name, reason }) => failed.has(name) && 'standard' in reason).length;
  return { passed: count(outcome, 'passed'), failedStandards, failedQuality: failed.size - failedStandards };
}

async function writeFiles(
  { files, seed }: Options,
  outcome: Outcome,
  { name, counts }: { name: string; counts: BadgeCounts },
): Promise<void> {
  const { json, junit, badge: svg } = files;
  const result = { server: name, date: new Date().toISOString(), seed, ...counts, ...outcome };
  if (json !== undefined) await writeFile(json, `${JSON.stringify(result, undefined, 2)}\n`);
  if (junit !== undefined) await writeFile(junit, toJUnit([{ name, title: name, ...outcome }], seed));
  if (svg !== undefined) await writeFile(svg, badge(counts));
}
