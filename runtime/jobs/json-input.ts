import { codedError } from '../http/coded-error.ts';

/** What every engine takes. */
const MOST_BYTES = 100_000;

/**
 * Prepares an input for storage: either the run receives an equal value, or the input is refused here.
 *
 * @returns a copy; `undefined` without an input.
 * @throws TypeError with code `ERR_JOB_INPUT` for a value that JSON does not have, and for more than 100,000 bytes.
 */
export function toJsonInput(job: string, input: unknown): unknown {
  if (input === undefined) return undefined;
  const problem = explainNesting(input);
  if (problem) refuse(job, problem);
  const text = JSON.stringify(input);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MOST_BYTES) {
    refuse(job, `It has ${bytes} bytes as JSON, and may have ${MOST_BYTES}. Store it elsewhere, and enqueue where.`);
  }
  return JSON.parse(text);
}

function refuse(job: string, why: string): never {
  throw codedError('ERR_JOB_INPUT', `The input of the job ${job} cannot be stored. ${why}`);
}

function explainNesting(input: unknown): string | undefined {
  try {
    return explain(input, 'input', new Set());
  } catch (error) {
    if (error instanceof RangeError) return 'It is nested too deeply.';
    throw error;
  }
}

/**
 * Explains why a value is not JSON. Returns `undefined` if it is. An `undefined` property may be omitted, as in JSON:
 * reading it still gives `undefined`.
 */
function explain(value: unknown, place: string, above: Set<object>): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : `${place} is ${value}, which JSON does not have.`;
  }
  if (typeof value !== 'object') {
    const advice = typeof value === 'bigint' ? ' Give it as a text.' : '';
    return `${place} is of type ${typeof value}, which JSON does not have.${advice}`;
  }
  if (above.has(value)) return `${place} contains itself.`;
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) {
    const kind = (value.constructor as { name?: unknown } | undefined)?.name;
    const advice = value instanceof Date ? 'Give the text of toISOString().' : 'Give a plain object, a list or a text.';
    return `${place} is of the class ${String(kind)}, which JSON does not have. ${advice}`;
  }
  above.add(value);
  // Array.from() visits the holes of a list too, unlike forEach() and Object.entries().
  const parts: [string, unknown][] = isList
    ? Array.from(value, (part: unknown, index) => [`${place}[${index}]`, part])
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([name, part]) => [`${place}.${name}`, part]);
  for (const [where, part] of parts) {
    const problem = explain(part, where, above);
    if (problem) return problem;
  }
  above.delete(value);
  return undefined;
}

function isPlain(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // In another realm, such as a test runner's, it is a different object.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
