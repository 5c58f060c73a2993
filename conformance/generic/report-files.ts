import { count } from './results.ts';
import type { BehaviourResult, Outcome } from './results.ts';

/** The result of one host, in the files of a run. */
export interface NamedOutcome extends Outcome {
  name: string;
  title: string;
  /** Why the host was not run. */
  notRun?: string;
}

/** The results as JSON: `{ seed, hosts }`, each host with its behaviours. */
export function toJson(hosts: readonly NamedOutcome[], seed: number): string {
  return `${JSON.stringify({ seed, hosts }, undefined, 2)}\n`;
}

/**
 * The results as JUnit XML, which most CI systems show: a test suite per host, a test case per behaviour. A failure
 * outside the behaviours is a test case, too; a host that was not run is a skipped one.
 *
 * @see https://github.com/testmoapp/junitxml
 */
export function toJUnit(hosts: readonly NamedOutcome[], seed: number): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="conformance">',
    ...hosts.flatMap((host) => testSuite(host, seed)),
    '</testsuites>',
    '',
  ].join('\n');
}

function testSuite(host: NamedOutcome, seed: number): string[] {
  const { name, behaviours, problems, notRun } = host;
  const cases = [
    ...behaviours.map((behaviour) => testCase(name, behaviour)),
    ...problems.map((error) => testCase(name, { topic: 'host', name: firstLine(error), state: 'failed', error })),
    ...(notRun === undefined
      ? []
      : [testCase(name, { topic: 'host', name: 'runs', state: 'not-applicable', error: notRun })]),
  ];
  const skipped = cases.length - count(host, 'passed') - count(host, 'failed');
  return [
    `  <testsuite${attributes({ name, tests: cases.length, failures: count(host, 'failed'), skipped })}>`,
    `    <properties><property${attributes({ name: 'seed', value: seed })}/></properties>`,
    ...cases,
    '  </testsuite>',
  ];
}

function testCase(
  host: string,
  { topic, name, state, error = '', stack, milliseconds = 0 }: Omit<BehaviourResult, 'source'>,
): string {
  const open = `    <testcase${attributes({ classname: `${host}.${topic}`, name, time: milliseconds / 1000 })}`;
  if (state === 'passed') return `${open}/>`;
  const inner =
    state === 'failed'
      ? `<failure${attributes({ message: error })}>${escape(stack ?? error)}</failure>`
      : `<skipped${attributes({ message: state === 'gap' ? 'a gap that is listed' : error || 'does not apply' })}/>`;
  return `${open}>${inner}</testcase>`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('');
}

function escape(text: string): string {
  return (
    text
      // XML 1.0 section 2.2: these cannot be written at all.
      .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
