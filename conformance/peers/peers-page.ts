import { table } from '../markdown-table.ts';
import type { BehaviourResult } from '../generic/results.ts';
import type { PeerResult } from './run-peer.ts';
import { withheld } from './withheld.ts';

const OWN = 'appkit';

/**
 * The text of docs/peers.md.
 *
 * @param date – when the peers were tested, such as `2026-11-23`.
 * @param reproductions – the names of behaviours that have a script.
 */
export function peersPage(
  results: readonly PeerResult[],
  { date, reproductions }: { date: string; reproductions: ReadonlyMap<string, string> },
): string {
  const hidden = withheld(results.filter(({ peer }) => peer.name !== OWN).map(({ behaviours }) => behaviours));
  const rows = results[0]?.behaviours ?? [];
  const topics = [...new Set(rows.map(({ topic }) => topic))];
  return [
    '# Peers',
    '',
    `Written by \`npm run conformance:peers\` on ${date}. Each server was given the same [fixture](../conformance/fixture.md), as its`,
    `documentation says, and asked for ${rows.length} behaviours of HTTP and Fetch by [appkit-conformance](../conformance/generic/README.md),`,
    'on Node where it needs one. Ask yours: `node conformance/generic/bin/appkit-conformance.js --start "node server.js"`.',
    '',
    summary(results, hidden),
    '',
    '✓ is a shown behaviour, ✗ one that a standard requires and that is not shown, ○ one of quality that is not shown: no standard',
    'requires it, and the server may do otherwise on purpose. — does not apply. Rows whose failure strangers could use against',
    `servers of other people are **withheld** for all peers but ours, whatever they show: ${rows.filter(({ name }) => hidden.has(name)).length} rows. A name that is a link leads to a`,
    'script that shows the failure: `node reproduce.mjs <script> <server>` in the folder of the peers.',
    '',
    ...topics.flatMap((topic) => [`## ${topic}`, '', topicTable(topic, results, { hidden, reproductions }), '']),
  ].join('\n');
}

function summary(results: readonly PeerResult[], hidden: ReadonlySet<string>): string {
  const rows = results.map(({ peer, version, behaviours }) => {
    const shown = behaviours.filter(({ name }) => !hidden.has(name));
    const failed = shown.filter(({ state }) => state === 'failed');
    const quality = failed.filter(isQuality).length;
    return [
      peer.title,
      `${peer.package} ${version}`,
      String(shown.filter(({ state }) => state === 'passed').length),
      String(failed.length - quality),
      String(quality),
    ];
  });
  return table(['Server', 'Version', 'Shown', 'Not shown, of a standard', 'Not shown, of quality'], rows);
}

function topicTable(
  topic: string,
  results: readonly PeerResult[],
  { hidden, reproductions }: { hidden: ReadonlySet<string>; reproductions: ReadonlyMap<string, string> },
): string {
  const [first] = results;
  const rows = (first?.behaviours ?? [])
    .filter((behaviour) => behaviour.topic === topic)
    .map(({ name, source }) => {
      const cells = results.map(({ peer, behaviours }) =>
        hidden.has(name) && peer.name !== OWN ? 'withheld' : sign(behaviours.find((entry) => entry.name === name)),
      );
      const script = reproductions.get(name);
      const isLinked = script !== undefined && !hidden.has(name) && cells.some((cell) => cell === '✗' || cell === '○');
      return [isLinked ? `[${name}](../conformance/peers/reproductions/${script}.mjs)` : name, source, ...cells];
    });
  return table(['Behaviour', 'Source', ...results.map(({ peer }) => peer.name)], rows);
}

function sign(result: BehaviourResult | undefined): string {
  if (result === undefined || result.state === 'not-applicable') return '—';
  if (result.state === 'passed') return '✓';
  return isQuality(result) ? '○' : '✗';
}

function isQuality({ source }: BehaviourResult): boolean {
  return source.startsWith('quality');
}
