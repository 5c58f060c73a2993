import type { StandardIssue } from './standard-schema.ts';

/** One thing that is wrong with a request. */
export interface InputError {
  /** The part of the request, in OpenAPI's terms. */
  in: 'path' | 'query' | 'header' | 'body';
  /** The place in that part: a JSON Pointer as the fragment of a URI, such as `#/items/0`. */
  pointer: string;
  /** The schema's message. */
  detail: string;
}

/** The problem details of a request that violates a contract: RFC 9457, with its `errors`. */
export interface ContractProblem {
  type: 'about:blank';
  /** The standard phrase of the status. */
  title: string;
  status: keyof typeof TITLES;
  detail: string;
  errors: InputError[];
}

const TITLES = { 400: 'Bad Request', 415: 'Unsupported Media Type' };

/** Answers with problem details. */
export function problemResponse(status: ContractProblem['status'], detail: string, errors: InputError[]): Response {
  const problem: ContractProblem = { type: 'about:blank', title: TITLES[status], status, detail, errors };
  return Response.json(problem, { status, headers: { 'content-type': 'application/problem+json' } });
}

/** Clients choose the names of fields, and a schema may quote values: the answer must not become arbitrarily long. */
const LONGEST = 500;
/** A lone surrogate, which a URI cannot contain. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The place of an issue: RFC 6901 section 6. If it is too long, the place of the nearest short enough parent. */
export function pointerOf({ path = [] }: StandardIssue): string {
  let pointer = '#';
  for (const segment of path) {
    const key = String(typeof segment === 'object' ? segment.key : segment);
    if (key.length > LONGEST) break;
    const escaped = key.replaceAll(LONE_SURROGATE, '\ufffd').replaceAll('~', '~0').replaceAll('/', '~1');
    const longer = `${pointer}/${encodeURIComponent(escaped)}`;
    if (longer.length > LONGEST) break;
    pointer = longer;
  }
  return pointer;
}

/** The schema's message for an issue. */
export function detailOf({ message }: StandardIssue): string {
  return message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
}
