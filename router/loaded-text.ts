import type { ErrorTeller } from './error-teller.ts';
import { toServerError } from './given-error.ts';
import type { GivenFailure } from './given-error.ts';
import { createDataReader, readParts } from './read-data.ts';
import type { Loaded } from './run-loaders.ts';
import { findData } from './site.ts';
import { createStatusError, isStatusError } from './status-error.ts';
import { toLines, writeData } from './write-data.ts';
import type { WrittenData } from './write-data.ts';

/** The results of loaders, as they are sent to the process that renders the page. */
interface SentLoaded extends Omit<Loaded, 'failure'> {
  failure?: (GivenFailure & { isStatusError: boolean }) | undefined;
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
  const toGivenError = (error: unknown): ReturnType<ErrorTeller['toGiven']> => {
    errors.report(error);
    return errors.toGiven(error);
  };
  const write = ({ failure, ...rest }: Loaded): WrittenData => {
    const error = failure?.error;
    const sent: SentLoaded = {
      ...rest,
      ...(failure && {
        failure: { ...errors.toGiven(error), level: failure.level, isStatusError: isStatusError(error) },
      }),
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
  const note = (error: Error): Error => {
    errors.add(error);
    return error;
  };
  const reader = createDataReader({ toError: (given) => note(toServerError(given)) });
  const { failure, ...results } = reader.read(first) as SentLoaded; // written above
  if (rest) void readParts(reader, rest);
  if (!failure) return { loaded: results, errors };
  const { level, message, status } = failure;
  const error = note(failure.isStatusError ? createStatusError(status, message) : new Error(message));
  return { loaded: { ...results, failure: { level, error } }, errors };
}
