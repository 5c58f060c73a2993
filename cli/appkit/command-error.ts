/** A failure the user can do something about: what is wrong, and what to do now. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** What to do now, as a sentence. */
  readonly fix: string;

  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options);
    this.fix = fix;
  }
}
