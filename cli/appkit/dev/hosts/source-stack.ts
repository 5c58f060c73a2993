import { SourceMap } from 'node:module';
import path from 'node:path';
import type { BuiltCode } from './host-runner.ts';
import type { SentError } from './in-host.ts';

/** Where the code of a stack is, and its sources. */
export interface SourceOptions extends BuiltCode {
  projectRoot: string;
}

/** Turns an error sent by the host into one whose stack names the sources. */
export function toSourceError(sent: SentError, options: SourceOptions): unknown {
  if (!sent.isError) return sent.message;
  const { name, message, stack, cause } = sent;
  const error = new Error(message, cause && { cause: toSourceError(cause, options) });
  error.name = name;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const mapped = frames.flatMap((line) => toSourceFrame(line, options));
  error.stack = [`${name}: ${message}`, ...mapped].join('\n');
  return error;
}

/** A line of a stack: `at GET (/project/.appkit/…/hello+api.js:3:9)`, or with a file: URL, or without a name. */
const FRAME = /^\s+at (?:(.*?) \()?((?:file:|\/|[A-Za-z]:\\).*?):(\d+):(\d+)\)?$/;

function toSourceFrame(text: string, { projectRoot, root, maps }: SourceOptions): string[] {
  const [, name, location = '', line, column] = FRAME.exec(text) ?? [];
  const file = location.startsWith('file:') ? decodeURI(new URL(location).pathname) : location;
  const output = path
    .relative(root, file)
    .replaceAll(path.sep, '/')
    .replace(/^server\//, '');
  if (location === '' || output.startsWith('..')) return [`    at ${text.trim().slice('at '.length)}`];
  const map = maps.get(output);
  if (!map) return [];
  const sources = map.sources.map((source) => source ?? '');
  const whole = new SourceMap({ ...map, ...REST, sources, file: output });
  const entry = whole.findEntry(Number(line) - 1, Number(column) - 1);
  // Code without a source was added by us.
  if (!('originalLine' in entry) || entry.originalSource === '') return [];
  const source = path.join(projectRoot, entry.originalSource);
  const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return [name ? `    at ${name} (${place})` : `    at ${place}`];
}

/** The fields of a source map that the bundler does not know. */
const REST = { version: 3, sourceRoot: '', sourcesContent: [] };
