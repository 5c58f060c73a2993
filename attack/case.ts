import type { RawResponse } from '../conformance/generic/raw-http.ts';

/** What the bytes of a case are created for. */
export interface Target {
  /** The value of an honest `Host` header. */
  host: string;
  /** Contained in every request of the case, and in no other request. An answer with another case's token is a leak. */
  token: string;
}

/** One attack: bytes on a connection of their own, followed by an honest request. */
export interface AttackCase {
  name: string;
  /** The section of the standard that defines the right behaviour, or the weakness by its CWE number. */
  section: string;
  /** A text is sent as latin1, so that a case can name any byte. */
  bytes(target: Target): string | Uint8Array;
  expected: Expected;
  /** `HEAD` has an answer without a body. Default: `GET`. */
  method?: string;
}

/**
 * What may come back. Anything that none of these members allows is a failure, and so is every sign of a broken host:
 * see judge.ts.
 */
export interface Expected {
  /** The statuses of the answer. Default: 200. */
  statuses: readonly number[];
  /** The host may close the connection without an answer. */
  closes?: boolean;
  /** The host may wait for more: the honest request after the attack is then part of its body. */
  waits?: boolean;
  /** Whether bytes that are not an HTTP/1.1 response may come back. */
  bytes?: (bytes: string) => boolean;
  /** Checks an answer that is not a refusal. Returns what is wrong with it. */
  check?: (response: RawResponse) => string | undefined;
}

const REFUSALS = [400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 426, 431, 501, 505];

/** Refused with a suitable status, or by closing the connection. */
export const refused: Expected = { statuses: REFUSALS, closes: true };

/** The right answer, or a refusal: the host's own parser decides which. */
export function safely(check?: Expected['check'], ...statuses: number[]): Expected {
  return {
    statuses: [...(statuses.length === 0 ? [200] : statuses), ...REFUSALS],
    closes: true,
    ...(check && { check }),
  };
}

/** The right answer and nothing else. */
export function answers(status: number, check?: Expected['check']): Expected {
  return { statuses: [status], ...(check && { check }) };
}

/** Refused, answered or waited for: each of these keeps requests apart. */
export function apart(check?: Expected['check']): Expected {
  return { ...safely(check), waits: true };
}

/** The bytes of a request with an honest `Host`. Header lines are sent unchanged. */
export function request(line: string, lines: readonly string[] = [], body = ''): AttackCase['bytes'] {
  return ({ host, token }) =>
    [`${line} HTTP/1.1`, `Host: ${host}`, `X-Token: ${token}`, ...lines, '', body].join('\r\n');
}

/** The bytes of a POST that states its length honestly. */
export function post(target: string, body: string, lines: readonly string[] = []): AttackCase['bytes'] {
  return request(`POST ${target}`, [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`, ...lines], body);
}

/** Checks the JSON of an answer. */
export function json<T>(isRight: (value: T) => boolean): NonNullable<Expected['check']> {
  return ({ body }) => {
    const text = body.toString();
    try {
      // What our own app sends.
      return isRight(JSON.parse(text) as T) ? undefined : `the wrong answer ${text.slice(0, 300)}`;
    } catch {
      return `no JSON: ${text.slice(0, 300)}`;
    }
  };
}

/** Checks the text of an answer. */
export function text(pattern: RegExp): NonNullable<Expected['check']> {
  return ({ body }) =>
    pattern.test(body.toString()) ? undefined : `the wrong answer ${body.toString().slice(0, 300)}`;
}

/** Whether a status says that a request was refused. */
export function isRefusal(status: number): boolean {
  return REFUSALS.includes(status);
}
