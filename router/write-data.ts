import { DevalueError, stringify } from 'devalue';
import type { GivenError } from './given-error.ts';

/** Data as text. Each promise in the data follows later, in its own text. */
export interface WrittenData {
  text: string;
  parts: readonly WrittenPart[];
}

/** The result of a promise in the data. */
export interface WrittenPart {
  id: number;
  /** Never rejects: a rejected promise's error is written, too. */
  written: Promise<WrittenData>;
}

/** The content of a part, in the form in which it is read again. */
export type PartContent = { id: number } & ({ value: unknown } | { error: GivenError });

/** How data are written. */
export interface WriteOptions {
  /** The pattern of the page, for errors. */
  pattern: string;
  /** Turns the error of a rejected promise into what the client receives. */
  toGivenError: (error: unknown) => GivenError;
}

/**
 * Writes data for the client. It reads them with `createDataReader`.
 *
 * @throws TypeError with the code `ERR_DATA_INVALID` that names what cannot be sent.
 */
export function writeData(data: unknown, options: WriteOptions): WrittenData {
  return write(data, { ...options, count: 0 });
}

const INVALID = 'ERR_DATA_INVALID';

/** Recognises errors of {@link writeData}. */
export function isDataError(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === INVALID;
}

/** Writes data for the client as lines: first the data, then each part as soon as it is ready. */
export async function* toLines({ text, parts }: WrittenData): AsyncGenerator<string, void> {
  yield `${text}\n`;
  const waiting = new Map<WrittenPart, Promise<{ part: WrittenPart; written: WrittenData }>>();
  const add = (more: readonly WrittenPart[]): void => {
    for (const part of more)
      waiting.set(
        part,
        part.written.then((written) => ({ part, written })),
      );
  };
  add(parts);
  while (waiting.size > 0) {
    const { part, written } = await Promise.race(waiting.values());
    waiting.delete(part);
    add(written.parts);
    yield `${written.text}\n`;
  }
}

interface Writing extends WriteOptions {
  /** The number of promises so far, which their ids are made of. */
  count: number;
}

function write(data: unknown, writing: Writing): WrittenData {
  const parts: WrittenPart[] = [];
  const known = new Map<unknown, number>();
  const takePromise = (value: unknown): number | undefined => {
    if (!isPromise(value)) return undefined;
    const id = known.get(value) ?? ++writing.count;
    if (!known.has(value)) parts.push({ id, written: writePart(value, { id, writing }) });
    known.set(value, id);
    return id;
  };
  try {
    return { text: stringify(data, { Promise: takePromise }), parts };
  } catch (error) {
    throw error instanceof DevalueError ? toDataError(error, writing.pattern) : error;
  }
}

async function writePart(
  value: PromiseLike<unknown>,
  { id, writing }: { id: number; writing: Writing },
): Promise<WrittenData> {
  try {
    return write({ id, value: await value } satisfies PartContent, writing);
  } catch (error) {
    return write({ id, error: writing.toGivenError(error) } satisfies PartContent, writing);
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function toDataError({ path, value, message: reason }: DevalueError, pattern: string): TypeError {
  // It follows our own prefix for the data: `.data[1].author.save`.
  const [, put, key = ''] = /^\.(data\[\d+\]|actionData|value)\.?(.*)$/.exec(path) ?? [];
  const whole = `what ${put === 'actionData' ? 'its action' : 'a loader'} returned`;
  const place = key === '' ? whole : `${key} in ${whole}`;
  const message = `The page ${pattern}: ${place} is ${describe(value) ?? `an object (${reason})`}, which cannot be sent to the client.`;
  const fix = 'Return plain objects, arrays, Date, Map, Set, BigInt, URL or promises of these.';
  return Object.assign(new TypeError(`${message} ${fix}`), { code: INVALID });
}

function describe(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  const name = (value as { constructor?: { name?: unknown } } | undefined)?.constructor?.name;
  return typeof name === 'string' && name !== 'Object' ? `an instance of ${name}` : undefined;
}
