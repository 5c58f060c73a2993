import { expect, it } from 'vitest';
import type { Emulator } from './emulator.ts';
import { hostsPage, summaryTable, withSummary } from './hosts-table.ts';
import type { BehaviourResult } from './generic/results.ts';
import type { HostResult } from './host-result.ts';

function emulator(name: string, rest: Partial<Emulator> = {}): Emulator {
  return {
    name,
    title: `Title of ${name}`,
    dependencies: {},
    files: ['template'],
    command: ['node', 'server.mjs'],
    commandWithOptions: ['node', 'options.mjs'],
    tool: { command: ['node', '--version'], expected: /v/ },
    ready: /(.*)/,
    gaps: [],
    ...rest,
  };
}

function behaviour(topic: string, name: string, state: BehaviourResult['state'] = 'passed'): BehaviourResult {
  return { topic, name, source: 'B1', state };
}

const gap = {
  fails: 'time-out' as const,
  behaviour: 'is red',
  reason: 'It is blue.',
  link: 'https://host.example/blue',
};
const lack = { what: 'shutdown', reason: 'It never ends.', link: 'https://host.example/end' } as const;
const results: HostResult[] = [
  {
    emulator: emulator('second', { gaps: [gap], lacks: [lack] }),
    behaviours: [behaviour('b', 'is red', 'gap'), behaviour('a', 'x | y', 'not-applicable')],
    problems: [],
  },
  { emulator: emulator('first'), behaviours: [behaviour('b', 'is red'), behaviour('a', 'x | y')], problems: [] },
  { emulator: emulator('third'), notRun: 'no such tool', behaviours: [], problems: [] },
];

it('writes the same page whatever order the results come in', () => {
  const shuffled = results.toReversed().map((result) => ({ ...result, behaviours: result.behaviours.toReversed() }));
  expect(hostsPage(shuffled)).toBe(hostsPage(results));
});

it('has a cell for each behaviour and host', () => {
  const page = hostsPage(results);
  expect(page).toContain('| Behaviour | Source | first | second | third |');
  expect(page).toContain('| is red | B1 | ✓ | gap |  |');
  expect(page).toContain('| x \\| y | B1 | ✓ | — |  |');
});

it('gives a second opinion a line, but no column', () => {
  const opinion = {
    emulator: emulator('fourth', { isSecondOpinion: true }),
    behaviours: [behaviour('b', 'is red')],
    problems: [],
  };
  const page = hostsPage([...results, opinion]);
  expect(page).toContain('| fourth | Title of fourth | 1 | 0 | 0 | 0 |');
  expect(page).toContain('| Behaviour | Source | first | second | third |');
});

it('lists the reason and source of each gap', () => {
  expect(hostsPage(results)).toContain('| second | is red | It is blue. [Source](https://host.example/blue) |');
});

it('lists the reason of what does not apply once', () => {
  expect(hostsPage(results)).toContain('| second | shutdown | It never ends. [Source](https://host.example/end) |');
  expect(summaryTable(results)).toContain('| second | Title of second | 0 | 1 | 1 | 0 |');
});

it('never counts a host that was not run as passed', () => {
  expect(summaryTable(results)).toContain('| third | Title of third | not run |  |  |  |');
});

it('writes the summary between the markers of a page', () => {
  const page = 'before\n<!-- hosts -->\nold\n<!-- /hosts -->\nafter\n';
  const written = withSummary(page, results);
  expect(written).toContain(`<!-- hosts -->\n\n${summaryTable(results)}\n\n<!-- /hosts -->\nafter`);
  expect(withSummary(written, results)).toBe(written);
});

it('leaves a page without markers alone', () => {
  expect(withSummary('no markers', results)).toBe('no markers');
});
