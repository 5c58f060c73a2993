import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { findModuleProblem } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { Problem } from 'appkit-build/problem';
import { toCodeFrame } from './code-frame.ts';

/** A line of a stack. */
export interface StackFrame {
  /** As it is shown: `GET (app/hello+api.ts:3:9)`. */
  text: string;
  /** Whether it is in a file of the app, not in a package or in Node. */
  isOwn: boolean;
  place?: Place;
}

/** A place in a file of the app. */
export interface Place {
  /** Relative to the project if it is inside it, with `/` between folders. */
  file: string;
  line?: number;
  column?: number;
}

/** A place with the lines around it. */
export interface CodeFrame extends Place {
  /** Some lines of the source, numbered, with a mark at the place. */
  code?: string;
}

/** The details of an error, in the form that the terminal and the pages show. */
export interface ErrorReport {
  /** Such as `TypeError`. */
  name: string;
  message: string;
  /** Where it was thrown. Absent when that is not in a file of the app. */
  frame?: CodeFrame;
  stack: StackFrame[];
  /** The reasons why the app cannot be exported, if that is the error. */
  problems: (Problem & { code?: string })[];
  /** The error's `cause`. */
  cause?: ErrorReport;
}

/** Reads any thrown value. Node must already have mapped its stack to the sources. */
export function toErrorReport(error: unknown, projectRoot: string): ErrorReport {
  if (!(error instanceof Error)) return { name: 'Thrown', message: inspect(error), stack: [], problems: [] };
  const { name, message } = error;
  const problems = problemsOf(error, projectRoot);
  if (problems) {
    const framed = problems.map((problem) => ({ ...problem, ...withCode(problem, projectRoot) }));
    const [first] = framed;
    const { name, message } = new ExportError(problems);
    return { name, message, ...(first && { frame: toPlace(first) }), stack: [], problems: framed };
  }
  const stack = withoutServer(parseStack(error.stack ?? '', projectRoot));
  const place = placeOfTransform(error, projectRoot) ?? stack.find(({ isOwn }) => isOwn)?.place;
  return {
    name,
    message,
    ...(place && { frame: withCode(place, projectRoot) }),
    stack,
    problems: [],
    ...(error.cause !== undefined && error.cause !== error && { cause: toErrorReport(error.cause, projectRoot) }),
  };
}

/** The stack as text, as Node writes it. */
export function toStackText({ name, message, stack, cause }: ErrorReport): string {
  const lines = [`${name}: ${message}`, ...stack.map(({ text }) => `    at ${text}`)];
  return [...lines, ...(cause ? [`Caused by: ${toStackText(cause)}`] : [])].join('\n');
}

/** A place in the form that editors and terminals recognize. */
export function toPlaceText({ file, line, column }: Place): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

function toPlace({ file, line, column, code }: CodeFrame): CodeFrame {
  return {
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(code !== undefined && { code }),
  };
}

function withCode(place: Place, projectRoot: string): CodeFrame {
  if (place.line === undefined) return toPlace(place);
  try {
    const source = readFileSync(path.resolve(projectRoot, place.file), 'utf8');
    return toPlace({ ...place, code: toCodeFrame(source, { line: place.line, column: place.column ?? 1 }) });
  } catch {
    return toPlace(place); // a file that does not exist, such as `node:internal` or one just removed
  }
}

// By shape: the class belongs to appkit-build, and an app may have another copy of it.
function problemsOf(error: Error, projectRoot: string): Problem[] | undefined {
  if ('problems' in error && Array.isArray(error.problems)) return error.problems as Problem[];
  const problem = findModuleProblem(error, projectRoot);
  return problem && [problem];
}

/** Vite says where a file cannot be transformed. */
function placeOfTransform(error: Error, projectRoot: string): Place | undefined {
  const { id, loc } = error as { id?: unknown; loc?: { file?: string; line: number; column: number } };
  const file = loc?.file ?? id;
  if (typeof file !== 'string' || !loc) return undefined;
  return { file: toShownFile(file, projectRoot), line: loc.line, column: loc.column + 1 };
}

function parseStack(stack: string, projectRoot: string): StackFrame[] {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return frames.map((line) => parseFrame(line.slice('    at '.length), projectRoot));
}

/** Frames below the app's own code belong to the server that called it. */
function withoutServer(stack: StackFrame[]): StackFrame[] {
  const last = stack.findLastIndex(({ isOwn }) => isOwn);
  return last === -1 ? stack : stack.slice(0, last + 1);
}

function parseFrame(text: string, projectRoot: string): StackFrame {
  // A path may contain brackets and spaces, such as `app/(shop)/[id]+api.ts`.
  const [, name, location, line, column] =
    /^(?:((?!file:|\/|[A-Za-z]:\\).*?) \()?((?:file:|\/|[A-Za-z]:\\).*?):(\d+):(\d+)\)?$/.exec(text) ?? [];
  if (location === undefined) return { text, isOwn: false };
  const file = toShownFile(location, projectRoot);
  const place = { file, line: Number(line), column: Number(column) };
  const at = toPlaceText(place);
  const isOwn = !path.isAbsolute(file) && !file.startsWith('../') && !file.split('/').includes('node_modules');
  return { text: name === undefined ? at : `${name} (${at})`, isOwn, place };
}

function toShownFile(location: string, projectRoot: string): string {
  const file = location.startsWith('file:') ? fileURLToPath(location) : location;
  const relative = path.relative(projectRoot, file);
  return relative.startsWith('..') ? file : relative.replaceAll(path.sep, '/');
}
