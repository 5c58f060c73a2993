import { isDeepStrictEqual } from 'node:util';
import { DEFINITIONS, changeReferences, ownReferences } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** Where the components of a document are. */
const COMPONENTS = '#/components/schemas/';

/** The names that a component may have (OpenAPI 3.1, Components Object). */
const NAME = /^[\w.-]+$/;

/** What a library calls a schema without a name, such as `__schema0` of zod and `intersection1` of arktype. It changes with the code. */
const MADE_UP = /^(?:__schema|[a-z]+)?\d+$/;

/**
 * Moves the definitions that have names, such as by `meta({ id })` of zod, to the components of a document, so that a name is one schema wherever
 * it is used: a generated client has one type of it.
 *
 * The input of a schema may differ from its output, by defaults for example. Then it is named `…Input`, so describe outputs first.
 *
 * @param schemas – the components, to which the definitions are added.
 * @returns the schema with references to them.
 */
export function placeNamed(
  schema: JsonSchema,
  direction: 'input' | 'output',
  schemas: Record<string, unknown>,
): JsonSchema {
  const { $defs, ...rest } = schema;
  const definitions = usedBy(rest, ($defs ?? {}) as Record<string, JsonSchema>); // JSON Schema
  if (!definitions.every(canMove)) return schema;
  const attempts = new Map(definitions.map(([name]) => [name, 0]));
  const nameOf = (name: string): string => nameFor(name, direction, attempts.get(name) ?? 0);
  const moved = (value: JsonSchema): JsonSchema =>
    changeReferences(value, (reference) => {
      const name = nameIn(reference);
      // Another reference of the schema itself stays.
      return attempts.has(name)
        ? COMPONENTS + nameOf(name) + reference.slice(DEFINITIONS.length + name.length)
        : reference;
    }) as JsonSchema;
  // A name that is taken by another schema changes the schemas that refer to it, so all are compared again.
  for (let taken = ''; ;) {
    const found = definitions.find(([name, definition]) => {
      const other = schemas[nameOf(name)];
      return other !== undefined && !isDeepStrictEqual(other, moved(definition));
    });
    if (!found) break;
    [taken] = found;
    attempts.set(taken, (attempts.get(taken) ?? 0) + 1);
  }
  for (const [name, definition] of definitions) schemas[nameOf(name)] ??= moved(definition);
  return moved(rest);
}

/** The definitions that a schema refers to, and those that they refer to. */
function usedBy(schema: JsonSchema, definitions: Record<string, JsonSchema>): [name: string, definition: JsonSchema][] {
  const used = new Map<string, JsonSchema>();
  const add = (from: JsonSchema): void => {
    for (const reference of ownReferences(from)) {
      const name = nameIn(reference);
      const definition = definitions[name];
      if (definition === undefined || used.has(name)) continue;
      used.set(name, definition);
      add(definition);
    }
  };
  add(schema);
  return [...used];
}

function nameIn(reference: string): string {
  return reference.startsWith(DEFINITIONS) ? (reference.slice(DEFINITIONS.length).split('/')[0] ?? '') : '';
}

/** `User`, and if that is another schema, `UserInput` for an input, or `User2`. */
function nameFor(name: string, direction: 'input' | 'output', attempt: number): string {
  if (attempt === 0) return name;
  const other = direction === 'input' ? `${name}Input` : name;
  const count = direction === 'input' ? attempt : attempt + 1;
  return count === 1 ? other : `${other}${count}`;
}

/** One that refers only to other definitions means the same in another place. */
function canMove([name, definition]: [string, JsonSchema]): boolean {
  const isNamed = NAME.test(name) && !MADE_UP.test(name);
  return isNamed && ownReferences(definition).every((reference) => reference.startsWith(DEFINITIONS));
}
