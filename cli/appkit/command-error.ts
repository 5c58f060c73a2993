/** What the process exits with when a command is called in a way that it does not know. */
export const WRONG_USAGE = 2;

/** A failure the user can do something about: what is wrong, and what to do now. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** What to do now, as a sentence. */
  readonly fix: string;
  /** What the process exits with. */
  readonly exitCode: number;

  constructor(message: string, fix: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.fix = fix;
    this.exitCode = exitCode;
  }
}
