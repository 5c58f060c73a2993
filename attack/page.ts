import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AttackPlan } from '../conformance/emulator.ts';
import { table } from '../conformance/markdown-table.ts';
import type { AttackResult } from './attack-host.ts';
import { heapNoiseOf, isFunction } from './attacked-hosts.ts';
import type { AttackedHost } from './attacked-hosts.ts';
import type { PatternResult } from './patterns.ts';
import type { SoakResult } from './soak.ts';

/** The results of a run. */
export interface Results {
  attacks: AttackResult[];
  patterns?: PatternResult;
  faults: { on: string; name: string; isSurvived: boolean }[];
  soaks: SoakResult[];
  notRun: { name: string; reason: string }[];
}

/** Writes docs/reliability.md. */
export function toPage(
  { attacks, patterns, faults, soaks, notRun }: Results,
  {
    hosts,
    machine,
    seed,
    seconds,
    mutations,
  }: { hosts: readonly AttackedHost[]; machine: string; seed: string; seconds: number; mutations: number },
): string {
  const namesOf = (is: (plan: AttackPlan) => boolean | undefined): string =>
    joinNames(hosts.filter(({ plan }) => is(plan)).map(({ name }) => name));
  const subjects = [...new Set(attacks.flatMap((attack) => Object.keys(attack.subjects)))];
  const soakOption = soaks.length === 0 ? '' : ` --soak ${seconds}`;
  const noisy = hosts
    .filter(({ plan }) => plan.heapNoiseBytes !== undefined)
    .map(({ name, plan }) => `; on ${name}, whose heap varies more, ${heapNoiseOf(plan) / 1024} KiB`)
    .join('');
  const parts = [
    '# Reliability',
    `${machine} Measured by \`npm run test:attack -- --seed ${seed} --mutations ${mutations}${soakOption} --write\`, on loopback. A short form of it is part of \`npm test\`.`,
    ...notRun.map(({ name, reason }) => `${name} was not run: ${reason}`),
    attacks.length === 0
      ? ''
      : `## Attacks

Every case sends bytes on its own connection, followed directly by an honest request. A case passes if the answer is one that
the standard allows, or a refusal; the honest request is answered correctly or not at all; then a request on another
connection is answered correctly; no answer contains an injected header, a guarded route, a file of the server, a stack trace
or a token of another request; and the process is alive.

${table(
  ['host', ...subjects, 'passed', 'failed', 'heap after the warm-up', 'after a round'],
  attacks.map(({ host, subjects: counts, passed, failures, memory }) => [
    host,
    ...subjects.map((subject) => String(counts[subject] ?? 0)),
    String(passed),
    String(failures.length),
    memory ? mebibytes(memory.before) : '',
    memory ? mebibytes(memory.after) : '',
  ]),
)}

On ${namesOf(isFunction)}, only half-read bodies are sent, since their platforms parse the requests; on
${namesOf((plan) => plan.hasWholeBodies)} only complete ones, since a function is called with the whole body there.

The heap is measured after garbage collection, once after all cases and once after another round of them. That round may add
at most 5 %, plus ${heapNoiseOf({ kind: 'server' }) / 1024} KiB of noise${noisy}.

The subject slow holds 100 connections that make no progress, breaks off uploads, leaves streams before their end, and keeps a
thousand open. Other requests must be answered meanwhile. On ${namesOf((plan) => plan.isNodeHttp)}, whose time-outs the test then lowers to seconds,
each connection that makes no progress must also be closed in time; ${namesOf((plan) => !plan.isNodeHttp && !isFunction(plan))} have no time-out to lower.`,
    patterns === undefined
      ? ''
      : `## Patterns

${patterns.patterns.toLocaleString('en')} random patterns, ${patterns.lookups.toLocaleString('en')} look-ups of paths that nearly match them. The table shows how much more processor
time they take for paths sixteen times as long; quadratic growth would be 256 times. At most 48 passes.

${table(
  ['paths', 'times as long'],
  Object.entries(patterns.growth).map(([shape, growth]) => [shape, growth.toFixed(1)]),
)}`,
    soaks.length === 0
      ? ''
      : `## Load

For ${seconds} seconds, 24 clients send requests at the same time, abandon streams and uploads, make routes fail and start tasks, after a
warm-up with the same. Every answer is compared with its request; every task that was accepted must run exactly once; the heap may
grow by at most 5 %, without an allowance for noise.

${table(
  ['host', 'answers checked', 'a second', 'tasks run once', 'heap before', 'after', 'failures'],
  soaks.map(({ host, seconds: took, answers, tasks, heap, failures }) => {
    const total = Object.values(answers).reduce((sum, one) => sum + one, 0);
    return [
      host,
      total.toLocaleString('en'),
      Math.round(total / took).toLocaleString('en'),
      tasks.toLocaleString('en'),
      mebibytes(heap.before),
      mebibytes(heap.after),
      String(failures.length),
    ];
  }),
)}`,
    faults.length === 0
      ? ''
      : `## Faults

${table(
  ['fault', 'survived on'],
  [...new Set(faults.map(({ name }) => name))].map((name) => [
    name,
    faults
      .filter((fault) => fault.name === name)
      .map(({ on, isSurvived }) => (isSurvived ? on : `**not ${on}**`))
      .join(', '),
  ]),
)}

An export is assembled beside \`dist\` and then moved there by a few renames. After each kill, \`appkit serve\` must serve the
complete old export or the complete new one, without another export in between: it first finishes the moves that had begun.`,
    writtenByMutation(),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

// tools/mutation/ writes its part of the page between these.
function writtenByMutation(): string {
  const page = readFileSync(path.join(import.meta.dirname, '../docs/reliability.md'), 'utf8');
  return /<!-- mutation:[^]*<!-- \/mutation -->/.exec(page)?.[0] ?? '';
}

function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
