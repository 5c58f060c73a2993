/** The exit code for a command called with arguments that it does not know. */
export const WRONG_USAGE = 2;

/** A failure the user can do something about: what is wrong, and what to do now. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** What to do now, as a sentence. */
  readonly fix: string;
  /** The exit code of the process. */
  readonly exitCode: number;

  constructor(message: string, fix: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.fix = fix;
    this.exitCode = exitCode;
  }
}
