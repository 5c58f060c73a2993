import { codedError } from '../http/coded-error.ts';

/** What every engine takes. */
const MOST_BYTES = 100_000;

/**
 * Makes what is stored of an input: what the run receives is equal to it, or it is refused here.
 *
 * @returns a copy, `undefined` where there is no input.
 * @throws TypeError with code `ERR_JOB_INPUT` for what JSON does not have, and for more than 100,000 bytes.
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

/** Says what is not JSON. A property that is `undefined` is left out, as JSON does it: whoever reads it finds the same. */
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
  // Not forEach or entries of the list alone: it may have holes.
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
  // Of another realm, such as that of a test runner, it is another object.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
