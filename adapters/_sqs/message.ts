import type { JobEnvelope } from '../../runtime/host.ts';

/** Writes a job as the body of a message. */
export function toBody(envelope: JobEnvelope): string {
  return toSendable(JSON.stringify(envelope), (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** Reads the body of a message. Gives `undefined` for what is no job of ours. */
export function parseBody(body: string): JobEnvelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { v, id, job, key, runAt, scheduledAt, attempt, trace } = Object(value) as Partial<Record<string, unknown>>;
  const isEnvelope =
    v === 1 &&
    isName(id) &&
    isName(job) &&
    (key === undefined || isName(key)) &&
    Number.isFinite(runAt) &&
    (scheduledAt === undefined || Number.isFinite(scheduledAt)) &&
    Number.isSafeInteger(attempt) &&
    Number(attempt) >= 0 &&
    (trace === undefined || isTrace(trace));
  return isEnvelope ? (value as JobEnvelope) : undefined; // checked above
}

/** Replaces the characters for which SQS refuses a message. */
export function toSendable(text: string, replace: (character: string) => string = () => '\ufffd'): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, replace);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTrace(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((line) => typeof line === 'string');
}
