import { searchOf } from '../routing/pathname.ts';
import { collectFields } from './collect-fields.ts';
import type { ContractInput } from './definition.ts';
import { detailOf, pointerOf, problemResponse } from './problem.ts';
import type { InputError } from './problem.ts';
import { isMislabelled, READABLE, readBody, unsupported } from './read-body.ts';
import type { StandardResult, StandardSchemaV1 } from './standard-schema.ts';

/** The checked parts of a request that have a schema, or the answer that lists their problems. */
export type ReadInput = { values: Record<string, unknown> } | { refusal: Response };

/** Reads and checks all parts that a contract has schemas for, so that one answer lists every problem. */
export async function readInput(
  { path, query, headers, body }: ContractInput,
  request: Request,
  params: Record<string, string>,
): Promise<ReadInput> {
  const values: Record<string, unknown> = { path: params };
  const check = async (part: keyof ContractInput, schema: StandardSchemaV1, value: unknown): Promise<InputError[]> => {
    const result = await validate(schema, value);
    if (!result.issues) {
      values[part] = result.value;
      return [];
    }
    return result.issues.map((issue) => ({
      in: part === 'headers' ? 'header' : part,
      pointer: pointerOf(issue),
      detail: detailOf(issue),
    }));
  };
  const checks: (() => InputError[] | Promise<InputError[]>)[] = [];
  if (path) checks.push(() => check('path', path, params));
  if (query) checks.push(() => check('query', query, collectFields(new URLSearchParams(searchOf(request.url)))));
  if (headers) checks.push(() => check('headers', headers, Object.fromEntries(request.headers)));
  if (body) {
    let read = await readBody(request);
    const found = 'value' in read ? await check('body', body, read.value) : [];
    if (found.length > 0 && isMislabelled(read)) read = unsupported();
    if ('value' in read) checks.push(() => found);
    else {
      const error: InputError = { in: 'body', pointer: '#', detail: read.detail };
      if (read.status === 415) return { refusal: unsupportedMediaType(error) };
      checks.push(() => [error]);
    }
  }
  const errors = (await Promise.all(checks.map((check) => check()))).flat();
  return errors.length === 0 ? { values } : { refusal: badRequest(errors) };
}

/** Libraries that use recursion fail on values that are nested too deeply, which any client can send. */
async function validate(schema: StandardSchemaV1, value: unknown): Promise<StandardResult<unknown>> {
  try {
    return await schema['~standard'].validate(value);
  } catch (error) {
    if (error instanceof RangeError) return { issues: [{ message: 'It is nested too deeply.' }] };
    throw error;
  }
}

/** A small body may have a wrong value at every byte, and its answer must not be a hundred times as long. */
const MOST_ERRORS = 100;

function badRequest(errors: InputError[]): Response {
  const what = errors.length === 1 ? 'One thing is' : `${errors.length} things are`;
  const where = errors.length > MOST_ERRORS ? `errors has the first ${MOST_ERRORS}` : 'see errors';
  return problemResponse(400, `${what} wrong with the request: ${where}.`, errors.slice(0, MOST_ERRORS));
}

function unsupportedMediaType(error: InputError): Response {
  const response = problemResponse(415, error.detail, [error]);
  response.headers.set('accept', READABLE);
  return response;
}
