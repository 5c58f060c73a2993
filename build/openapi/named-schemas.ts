import { isDeepStrictEqual } from 'node:util';
import { DEFINITIONS, changeReferences, ownReferences } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** Where the components of a document are. */
const COMPONENTS = '#/components/schemas/';

/** The names that a component may have (OpenAPI 3.1, Components Object). */
const NAME = /^[\w.-]+$/;

/** What a library calls a schema without a name: zod, arktype and valibot. It changes with the code. */
const MADE_UP = /^(?:__schema\d+|intersection\d+|\d+)$/;

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
  const used = usedBy(rest, ($defs ?? {}) as Record<string, JsonSchema>); // JSON Schema
  const movable = findMovable(used);
  if (movable.size === 0) return schema;
  const attempts = new Map([...movable.keys()].map((name) => [name, 0]));
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
  for (;;) {
    const taken = [...movable].find(([name, definition]) => {
      const other = schemas[nameOf(name)];
      return other !== undefined && !isDeepStrictEqual(open(other), open(moved(definition)));
    });
    if (!taken) break;
    attempts.set(taken[0], (attempts.get(taken[0]) ?? 0) + 1);
  }
  for (const [name, definition] of movable) {
    // An input may be more open than the output that was described before.
    if (direction === 'input' || schemas[nameOf(name)] === undefined) schemas[nameOf(name)] = moved(definition);
  }
  const left = [...used].filter(([name]) => !movable.has(name)).map(([name, each]) => [name, moved(each)] as const);
  return { ...moved(rest), ...(left.length > 0 && { $defs: Object.fromEntries(left) }) };
}

/** A schema whose objects may have further properties. zod says of outputs alone that they have none, although it leaves them out of inputs. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => key !== 'additionalProperties' || each !== false);
  return Object.fromEntries(entries.map(([key, each]) => [key, open(each)]));
}

/** The definitions that mean the same in another place: they have a name, and refer only to others of this kind. */
function findMovable(definitions: ReadonlyMap<string, JsonSchema>): Map<string, JsonSchema> {
  const movable = new Map([...definitions].filter(([name]) => NAME.test(name) && !MADE_UP.test(name)));
  for (;;) {
    const fixed = [...movable].find(
      ([, each]) => !ownReferences(each).every((reference) => movable.has(nameIn(reference))),
    );
    if (!fixed) return movable;
    movable.delete(fixed[0]);
  }
}

/** The definitions that a schema refers to, and those that they refer to. */
function usedBy(schema: JsonSchema, definitions: Record<string, JsonSchema>): Map<string, JsonSchema> {
  const used = new Map<string, JsonSchema>();
  const add = (from: JsonSchema): void => {
    for (const reference of ownReferences(from)) {
      const name = nameIn(reference);
      if (!Object.hasOwn(definitions, name) || used.has(name)) continue;
      const definition = definitions[name] as JsonSchema; // asked

      used.set(name, definition);
      add(definition);
    }
  };
  add(schema);
  return used;
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
