import { toPosition } from './source-position.ts';
import type { SourcePosition } from './source-position.ts';

/** What kind of failure a {@link UriSchemeError} is. These are stable; messages may improve. */
export type UriSchemeErrorCode =
  | 'ERR_USAGE'
  | 'ERR_SCHEME_INVALID'
  | 'ERR_URI_INVALID'
  | 'ERR_OPTION_INVALID'
  | 'ERR_PROJECT_NOT_FOUND'
  | 'ERR_FILE_NOT_FOUND'
  | 'ERR_FILE_AMBIGUOUS'
  | 'ERR_FILE_UNREADABLE'
  | 'ERR_FILE_UNSUPPORTED'
  | 'ERR_FILE_MALFORMED'
  | 'ERR_CONFIG_DYNAMIC'
  | 'ERR_ACTIVITY_NOT_FOUND'
  | 'ERR_APP_LINK'
  | 'ERR_WRITE_FAILED'
  | 'ERR_PLATFORM_UNSUPPORTED'
  | 'ERR_TOOL_NOT_FOUND'
  | 'ERR_OPEN_FAILED';

/** A failure with what is wrong, where, and what to do about it. */
export class UriSchemeError extends Error {
  override readonly name = 'UriSchemeError';
  /** What kind of failure it is. */
  readonly code: UriSchemeErrorCode;
  /** What to do now, as a sentence. */
  readonly fix: string;
  /** The file it is about, relative to the project. */
  readonly file: string | undefined;
  /** The line in the file, from 1. */
  readonly line: number | undefined;
  /** The column in the line, from 1. */
  readonly column: number | undefined;

  constructor(
    code: UriSchemeErrorCode,
    message: string,
    { fix, file, line, column, cause }: { fix: string; file?: string; cause?: unknown } & Partial<SourcePosition>,
  ) {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    super(place === '' ? message : `${place}: ${message}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.fix = fix;
    this.file = file;
    this.line = line;
    this.column = column;
  }
}

/** An error about a place in a file. */
export function errorAt(
  code: UriSchemeErrorCode,
  { file, text, offset }: { file: string; text: string; offset: number },
  message: string,
  fix: string,
): UriSchemeError {
  return new UriSchemeError(code, message, { fix, file, ...toPosition(text, offset) });
}
