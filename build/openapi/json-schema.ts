import type { StandardSchema } from './read-contract.ts';

/** A schema as JSON: JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Record<string, unknown>;

/** Describes the input or output of a schema, or says why that is not possible. */
export function toJsonSchema(
  { '~standard': { vendor, jsonSchema } }: StandardSchema,
  direction: 'input' | 'output',
): { schema: JsonSchema } | { reason: string } {
  if (!jsonSchema) {
    const fix = FIXES[vendor] ?? 'Use a library, or a version of it, that has one';
    return { reason: `the schema, which is of ${vendor}, has no Standard JSON Schema. ${fix}.` };
  }
  try {
    const { $schema: _, ...schema } = jsonSchema[direction]({ target: 'draft-2020-12' }) as JsonSchema; // by its standard
    return { schema };
  } catch (error) {
    return { reason: `${error instanceof Error ? error.message : String(error)}.`.replace(/\.\.$/, '.') };
  }
}

const FIXES: Record<string, string> = {
  valibot: 'Wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema',
  zod: 'Use zod 4.2 or later',
};

/** Whether a schema refers to places within itself, as those of recursive types do. */
export function refersToItself(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(refersToItself);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, value]) => isOwnReference(key, value) || (!DATA.has(key) && refersToItself(value)),
  );
}

/** The same schema for another place in a document, with its references to itself adjusted. */
export function moveTo(place: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => moveTo(place, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, value]) => {
      if (isOwnReference(key, value)) return [key, `${place}${value.slice(1)}`];
      return [key, DATA.has(key) ? value : moveTo(place, value)];
    }),
  );
}

/** Keywords whose values are not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);

function isOwnReference(key: string, value: unknown): value is string {
  return key === '$ref' && typeof value === 'string' && value.startsWith('#');
}
