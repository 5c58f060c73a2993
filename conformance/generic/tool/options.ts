import { parseArgs } from 'node:util';

/** The options of the command. */
export interface Options {
  url?: string | undefined;
  start?: string | undefined;
  topics: readonly string[];
  standardsOnly: boolean;
  seed: number;
  limitMs: number;
  files: { json?: string | undefined; junit?: string | undefined; badge?: string | undefined };
  list: boolean;
  help: boolean;
}

export const usage = `appkit-conformance --url <url> | --start <command> [options]

Asks a server that serves the fixture for behaviours of HTTP and Fetch. What the fixture answers is described by fixture.json,
and \`fetch\` of appkit-conformance/fixture is one for JavaScript.

  --url <url>         a server that runs, with the path at which the fixture is mounted
  --start <command>   starts a server with its port in PORT, waits until it answers, and ends all its processes afterwards
  --topic <name>      only this topic, such as cookies; may be repeated
  --standards-only    leaves out behaviours that no standard requires
  --list              lists the behaviours and why a server should show them
  --json <file>       writes the results there as JSON
  --junit <file>      writes them there as JUnit XML
  --badge <file>      writes a badge there as SVG
  --limit <seconds>   how long one behaviour may take. Default: 15
  --seed <number>     what is random in behaviours follows from it. Default: 1
  --help              prints this

Exit codes: 0 everything asked for is shown, 1 something is not, 2 the command could not ask.`;

/**
 * Parses the command's arguments.
 *
 * @throws Error that says what is wrong with them.
 */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      start: { type: 'string' },
      topic: { type: 'string', multiple: true, default: [] },
      'standards-only': { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'string' },
      junit: { type: 'string' },
      badge: { type: 'string' },
      limit: { type: 'string', default: '15' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const { url, start, topic, list, json, junit, badge, help } = values;
  if (!list && !help && (url === undefined) === (start === undefined)) {
    throw new Error('Give either --url with the URL of a server, or --start with the command of one.');
  }
  return {
    url,
    start,
    topics: topic,
    standardsOnly: values['standards-only'],
    seed: toNumber('--seed', values.seed),
    limitMs: toNumber('--limit', values.limit) * 1000,
    files: { json, junit, badge },
    list,
    help,
  };
}

function toNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${flag} takes a whole number from 1, not ${text}.`);
  return number;
}
