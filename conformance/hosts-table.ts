import { table } from './markdown-table.ts';
import { count } from './generic/results.ts';
import type { BehaviourResult } from './generic/results.ts';
import type { HostResult } from './host-result.ts';

const signs = { passed: '✓', failed: '✗', gap: 'gap', 'not-applicable': '—' } as const;

/**
 * The text of docs/hosts.md. The same results always produce the same text.
 *
 * @param before – the old page: its table of planted faults stays, which another command writes.
 */
export function hostsPage(results: readonly HostResult[], before = ''): string {
  return [
    '# Hosts',
    '',
    'Written by `npm run conformance`. Every behaviour is tested over HTTP against the host itself, with an app that the',
    'packed command line exported and the packed appkit-server serves.',
    '',
    summaryTable(results),
    '',
    'A ✓ is a shown behaviour. A gap is a behaviour that the host cannot show; the reasons are [at the end](#gaps). A — does',
    'not apply, because the host does not have [such a feature](#not-applicable). An empty cell was not run. Second opinions',
    "are the hosts' own emulators; they only run a few behaviours of each kind.",
    '',
    ...topicTables(results),
    ...lackList(results),
    ...gapList(results),
    '## Planted faults',
    '',
    'Written by `npm run conformance:mutants`, which plants faults in every adapter and expects the suite to turn red. The table',
    'says how many of the behaviours about each fault have failed.',
    '',
    /<!-- mutants -->[^]*<!-- \/mutants -->\n/.exec(before)?.[0] ?? '<!-- mutants -->\n<!-- /mutants -->\n',
  ].join('\n');
}

/** One line per host: how much of the suite it passes. */
export function summaryTable(results: readonly HostResult[]): string {
  const rows = sorted(results).map((result) => {
    const { name, title } = result.emulator;
    if (result.notRun !== undefined) return [name, title, 'not run', '', '', ''];
    const states = ['passed', 'gap', 'not-applicable', 'failed'] as const;
    return [name, title, ...states.map((state) => String(count(result, state)))];
  });
  return table(['Host', 'What runs', 'Behaviours shown', 'Gaps', 'Not applicable', 'Failures'], rows);
}

/** `page` with the summary between its `<!-- hosts -->` and `<!-- /hosts -->` markers; unchanged without them. */
export function withSummary(page: string, results: readonly HostResult[]): string {
  return page.replace(
    /(<!-- hosts -->\n)[^]*?(<!-- \/hosts -->)/,
    (_, start: string, end: string) => `${start}\n${summaryTable(results)}\n\n${end}`,
  );
}

/** `page` with the table of planted faults between its `<!-- mutants -->` and `<!-- /mutants -->` markers. */
export function withMutants(page: string, mutants: string): string {
  return page.replace(
    /(<!-- mutants -->\n)[^]*?(<!-- \/mutants -->)/,
    (_, start: string, end: string) => `${start}\n${mutants}\n\n${end}`,
  );
}

function topicTables(results: readonly HostResult[]): string[] {
  const hosts = sorted(results).filter(({ emulator }) => !emulator.isSecondOpinion);
  const behaviours = new Map<string, BehaviourResult>();
  for (const { behaviours: list } of hosts) for (const entry of list) behaviours.set(keyOf(entry), entry);
  const topics = [...new Set([...behaviours.values()].map(({ topic }) => topic))].toSorted();
  return topics.flatMap((topic) => {
    const rows = [...behaviours.values()]
      .filter((behaviour) => behaviour.topic === topic)
      .toSorted((a, b) => compare(a.name, b.name))
      .map((behaviour) => [behaviour.name, behaviour.source, ...hosts.map((host) => cell(host, behaviour))]);
    return [`## ${topic}`, '', table(['Behaviour', 'Source', ...hosts.map((host) => host.emulator.name)], rows), ''];
  });
}

function cell(host: HostResult, behaviour: BehaviourResult): string {
  const result = host.behaviours.find((entry) => keyOf(entry) === keyOf(behaviour));
  return result === undefined ? '' : signs[result.state];
}

function lackList(results: readonly HostResult[]): string[] {
  const rows = sorted(results).flatMap(({ emulator }) =>
    (emulator.lacks ?? [])
      .toSorted((a, b) => compare(a.what, b.what))
      .map(({ what, reason, link }) => [emulator.name, what, `${reason} [Source](${link})`]),
  );
  return rows.length === 0 ? [] : ['## Not applicable', '', table(['Host', 'What it does not have', 'Why'], rows), ''];
}

function gapList(results: readonly HostResult[]): string[] {
  const rows = sorted(results).flatMap(({ emulator }) =>
    emulator.gaps
      .toSorted((a, b) => compare(a.behaviour, b.behaviour))
      .map((gap) => [emulator.name, gap.behaviour, `${gap.reason} [Source](${gap.link})`]),
  );
  return rows.length === 0 ? [] : ['## Gaps', '', table(['Host', 'Behaviour', 'Why'], rows), ''];
}

function keyOf({ topic, name }: BehaviourResult): string {
  return `${topic}\n${name}`;
}

function sorted(results: readonly HostResult[]): HostResult[] {
  return results.toSorted((a, b) => compare(a.emulator.name, b.emulator.name));
}

// By code unit, since locale order differs between machines.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
