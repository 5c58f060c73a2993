/**
 * What code has thrown, as text that is never empty: SQS refuses a message with an empty attribute. Code may throw
 * anything, even values without a string conversion.
 */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { stack } = error;
      return typeof stack === 'string' && stack !== '' ? stack : `${String(error.name)}: ${String(error.message)}`;
    }
    const text = String(error);
    if (!VAGUE.has(text)) return text;
    return `It threw ${JSON.stringify(error) ?? text} instead of an Error.`;
  } catch {
    return `A value of type ${typeof error}, which has no text.`;
  }
}

/** Texts that do not say what was thrown. */
const VAGUE = new Set(['', 'undefined', 'null', String({})]);
