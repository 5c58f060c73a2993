import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { toJson, toJUnit } from './report-files.ts';
import type { NamedOutcome } from './report-files.ts';

const behaviour = { topic: 'cookies', name: 'sends <several> & "all"', source: 'RFC 6265', milliseconds: 1500 };
const hosts: NamedOutcome[] = [
  {
    name: 'node',
    title: 'Node.js',
    behaviours: [
      { ...behaviour, state: 'passed' },
      { ...behaviour, state: 'failed', error: 'expected "a" to be \u0000 <b>\nat once', stack: 'Error: ]]> at 1:2' },
      { ...behaviour, state: 'gap' },
      { ...behaviour, state: 'not-applicable' },
    ],
    problems: ['The server ended with 1 on SIGTERM.\nIt printed: nothing'],
  },
  { name: 'bun', title: 'Bun', behaviours: [], problems: [], notRun: 'bun is not there' },
];

it('writes the results as JSON, with the seed', () => {
  expect(JSON.parse(toJson(hosts, 7))).toEqual({ seed: 7, hosts });
});

it('writes the results as JUnit XML', () => {
  const elements = readXml(toJUnit(hosts, 7));
  const named = (wanted: string): Element[] => elements.filter(({ name }) => name === wanted);

  expect(named('testsuite').map(({ attributes }) => attributes)).toEqual([
    { name: 'node', tests: '5', failures: '2', skipped: '2' },
    { name: 'bun', tests: '1', failures: '0', skipped: '1' },
  ]);
  expect(named('property')[0]?.attributes).toEqual({ name: 'seed', value: '7' });
  expect(named('testcase')[0]?.attributes).toEqual({ classname: 'node.cookies', name: behaviour.name, time: '1.5' });
  const [failed, problem] = named('failure');
  // U+0000 cannot be written in XML.
  expect(failed?.attributes).toEqual({ message: 'expected "a" to be \uFFFD <b>\nat once' });
  expect(failed?.text.trim()).toBe('Error: ]]> at 1:2');
  expect(problem?.attributes['message']).toBe(hosts[0]?.problems[0]);
  expect(named('skipped').map(({ attributes }) => attributes['message'])).toEqual([
    'a gap that is listed',
    'does not apply',
    'bun is not there',
  ]);
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** The elements of a document, in the order in which they begin. Throws when it is not well-formed. */
function readXml(document: string): Element[] {
  const elements: Element[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes, text: '' }));
  parser.on('text', (text) => {
    const element = elements.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(document).close();
  return elements;
}
