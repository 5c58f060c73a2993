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

/** A schema with a name, such as by `meta({ id })` of zod, is only a reference to its definition, which is returned instead. */
export function withoutName(schema: JsonSchema): JsonSchema {
  const whole = followName(schema, schema);
  const { $defs: _, ...alone } = whole;
  // Its definition may use other names, or its own.
  return whole === schema || refersToItself(alone) ? whole : alone;
}

/** The definition that a schema with a name refers to. Any other schema is returned unchanged. */
export function followName(schema: JsonSchema, { $defs }: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith(DEFINITIONS)) return schema;
  const definition = ($defs as Record<string, JsonSchema> | undefined)?.[$ref.slice(DEFINITIONS.length)]; // JSON Schema
  return definition ? { ...definition, ...rest } : schema;
}

/** Where the definitions of a schema are. */
export const DEFINITIONS = '#/$defs/';

/** Whether a schema refers to places within itself, as those of recursive types do. */
export function refersToItself(schema: JsonSchema): boolean {
  return ownReferences(schema).length > 0;
}

/** The references of a schema to places within itself. */
export function ownReferences(schema: JsonSchema): string[] {
  const references: string[] = [];
  changeReferences(schema, (reference) => {
    references.push(reference);
    return reference;
  });
  return references;
}

/** The same schema for another place in a document, with its references to itself adjusted. */
export function moveTo(place: string, schema: JsonSchema): unknown {
  return changeReferences(schema, (reference) => place + reference.slice(1));
}

/** The same schema with other references to places within itself. Those to components are of the document. */
export function changeReferences(value: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => changeReferences(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, value]) => {
      if (isOwnReference(key, value)) return [key, change(value)];
      return [key, DATA.has(key) ? value : changeReferences(value, change)];
    }),
  );
}

/** Keywords whose values are not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);

function isOwnReference(key: string, value: unknown): value is string {
  return key === '$ref' && typeof value === 'string' && value.startsWith('#') && !value.startsWith('#/components/');
}
