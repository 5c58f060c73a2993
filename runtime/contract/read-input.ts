import { searchOf } from '../routing/pathname.ts';
import { collectFields } from './collect-fields.ts';
import type { ContractInput } from './definition.ts';
import { pointerOf, problemResponse } from './problem.ts';
import type { InputError } from './problem.ts';
import { READABLE, readBody } from './read-body.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';

/** The parts of a request that have a schema, checked, or the answer that says what is wrong with them. */
export type ReadInput = { values: Record<string, unknown> } | { refusal: Response };

/** Reads what a contract asks for and checks all of it, so that one answer names everything that is wrong. */
export async function readInput(
  { path, query, headers, body }: ContractInput,
  request: Request,
  params: Record<string, string>,
): Promise<ReadInput> {
  const read = body && (await readBody(request));
  if (read && 'status' in read && read.status === 415) {
    const refusal = problemResponse(415, read.detail, [{ in: 'body', pointer: '#', detail: read.detail }]);
    refusal.headers.set('accept', READABLE);
    return { refusal };
  }
  const values: Record<string, unknown> = { path: params };
  const errors: InputError[] = [];
  const check = async (part: keyof ContractInput, schema: StandardSchemaV1, value: unknown): Promise<InputError[]> => {
    const result = await schema['~standard'].validate(value);
    if (!result.issues) {
      values[part] = result.value;
      return [];
    }
    return result.issues.map((issue) => ({
      in: part === 'headers' ? 'header' : part,
      pointer: pointerOf(issue),
      detail: issue.message,
    }));
  };
  const checks = [
    path && check('path', path, params),
    query && check('query', query, collectFields(new URLSearchParams(searchOf(request.url)))),
    headers && check('headers', headers, Object.fromEntries(request.headers)),
    body && read && 'value' in read && check('body', body, read.value),
  ];
  for (const found of await Promise.all(checks)) if (found) errors.push(...found);
  if (read && 'detail' in read) errors.push({ in: 'body', pointer: '#', detail: read.detail });
  if (errors.length === 0) return { values };
  const what = errors.length === 1 ? 'One thing is' : `${errors.length} things are`;
  return { refusal: problemResponse(400, `${what} wrong with the request: see errors.`, errors) };
}
