import type { JobEnvelope } from '../../runtime/host.ts';
import { isEnvelope } from '../_jobs/job-message.ts';

/** Writes a job as the body of a message. */
export function toBody(envelope: JobEnvelope): string {
  return toSendable(JSON.stringify(envelope), (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** Reads the body of a message. Returns `undefined` if it is not one of our jobs. */
export function parseBody(body: string): JobEnvelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  return isEnvelope(value) ? value : undefined;
}

/** Replaces the characters for which SQS refuses a message. */
export function toSendable(text: string, replace: (character: string) => string = () => '\ufffd'): string {
  // oxlint-disable-next-line no-control-regex -- it looks for them
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, replace);
}
