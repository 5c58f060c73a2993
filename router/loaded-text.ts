import type { ErrorTeller } from './error-teller.ts';
import type { GivenError } from './given-error.ts';
import { createDataReader, readParts } from './read-data.ts';
import type { Loaded } from './run-loaders.ts';
import { findData } from './site.ts';
import { createStatusError, isStatusError } from './status-error.ts';
import { toLines, writeData } from './write-data.ts';
import type { WrittenData } from './write-data.ts';

/** The results of loaders, as they are sent to the process that renders the page. */
interface SentLoaded extends Omit<Loaded, 'failure'> {
  failure?: (SentError & { level: number }) | undefined;
}

/** What that process has to know of an error: its own copy decides about the answer as the original would. */
interface SentError extends GivenError {
  isStatusError: boolean;
}

/** The text of results, by its lines. */
export interface LoadedLines {
  first: string;
  /** A line for each promise in the data, once it has settled. Absent without promises. */
  rest?: AsyncIterable<string>;
}

/** Results that have been written. */
export interface WrittenLoaded {
  lines: LoadedLines;
  /** The failure in them: also that they could not be written. */
  failure: Loaded['failure'];
}

/** Writes the results of loaders for the process that renders the page. It reads them with {@link readLoaded}. */
export async function writeLoaded(
  loaded: Loaded,
  { pattern, errors }: { pattern: string; errors: ErrorTeller },
): Promise<WrittenLoaded> {
  const toSent = (error: unknown): SentError => ({ ...errors.toGiven(error), isStatusError: isStatusError(error) });
  const toGivenError = (error: unknown): SentError => {
    errors.report(error);
    return toSent(error);
  };
  const write = ({ failure, ...rest }: Loaded): WrittenData => {
    const sent: SentLoaded = {
      ...rest,
      ...(failure && { failure: { ...toSent(failure.error), level: failure.level } }),
    };
    return writeData(sent, { pattern, toGivenError });
  };
  try {
    return { lines: await toLoadedLines(write(loaded)), failure: loaded.failure };
  } catch (error) {
    const failure = { level: findData(loaded.data), error };
    return { lines: await toLoadedLines(write({ data: [], headers: loaded.headers, failure })), failure };
  }
}

async function toLoadedLines(written: WrittenData): Promise<LoadedLines> {
  if (written.parts.length === 0) return { first: written.text };
  const rest = toLines(written);
  await rest.next();
  return { first: written.text, rest };
}

/** Reads the results of loaders that have run in another process, which reports the `errors` in them. */
export function readLoaded({ first, rest }: LoadedLines): { loaded: Loaded; errors: WeakSet<object> } {
  const errors = new WeakSet<object>();
  const note = <E>(error: E): E => {
    errors.add(Object(error));
    return error;
  };
  const toError = (given: GivenError): Error => {
    const { message, status, isStatusError: isBranded } = given as SentError; // written above
    return note(isBranded ? createStatusError(status, message) : new Error(message));
  };
  const reader = createDataReader({ toError });
  const { failure, ...results } = reader.read(first) as SentLoaded; // written above
  // A visitor has left the page: no error of the app.
  if (rest) void readParts(reader, rethrow(rest, note));
  if (!failure) return { loaded: results, errors };
  return { loaded: { ...results, failure: { level: failure.level, error: toError(failure) } }, errors };
}

async function* rethrow(lines: AsyncIterable<string>, toThrown: (error: unknown) => unknown): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw toThrown(error);
  }
}
