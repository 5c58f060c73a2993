import type { Answer } from './send.ts';

/**
 * Asserts that the status of an answer is a success.
 *
 * @param sent – what the request held; none of it is repeated in an error.
 * @throws ResponseError when the status is not 2xx.
 */
export async function assertOk(answer: Answer, sent: Record<string, string>): Promise<void> {
  if (answer.ok) return;
  const { failureOf } = await import('./answer-fields.ts');
  throw failureOf(answer, sent);
}

/** The JSON object in an answer; `undefined` if it has none. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the object that an answer must hold. @throws ResponseError when it holds none, or the request has failed. */
export async function readJsonObject(
  answer: Answer,
  sent: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const fields = answer.ok ? parseJsonObject(answer.text) : undefined;
  if (fields !== undefined) return fields;
  // The code for the error is loaded only when it is needed.
  const { failureOf } = await import('./answer-fields.ts');
  throw failureOf(answer, sent);
}
