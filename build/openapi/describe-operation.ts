import { followName, moveTo, refersToItself, toJsonSchema, withoutName } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { placeNamed } from './named-schemas.ts';
import type { PathParameter } from './path-template.ts';
import type { Contract, StandardSchema } from './read-contract.ts';
import { PROBLEM } from './problem-response.ts';
import { uniqueName } from './unique-name.ts';
import { reasonPhrase } from './reason-phrase.ts';

/** One method of one route. */
export interface OperationOf {
  /** The prefix of component names, such as `GetItemsById`. */
  name: string;
  parameters: readonly PathParameter[];
  contract: Contract | undefined;
}

/** What an operation needs from the rest of the document. */
export interface Surroundings {
  schemas: Record<string, unknown>;
  /** Receives a sentence about a part that is not described. */
  warn(about: string, reason: string): void;
}

/** Describes the responses of an operation that its contract lists, by their statuses. */
export async function describeResponses(
  { name, contract }: OperationOf,
  around: Surroundings,
): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  // One after the other, so that names and warnings are in the order of the contract.
  for (const entry of contract?.output ?? []) {
    const { status, response } = await describeResponse(name, entry, around);
    responses[status] = response;
  }
  return responses;
}

/**
 * Describes an operation in the terms of OpenAPI 3.1.
 *
 * @param responses – of {@link describeResponses}.
 */
export async function describeOperation(
  { name, parameters, contract }: OperationOf,
  responses: Record<string, unknown>,
  around: Surroundings,
): Promise<Record<string, unknown>> {
  const { input = {}, output = [], notes = {} } = contract ?? {};
  const listed = [
    ...describePath(name, parameters, input.path, around),
    ...describeParameters(`${name}Query`, { schema: input.query, in: 'query' }, around),
    ...describeParameters(`${name}Header`, { schema: input.headers, in: 'header' }, around),
  ];
  const requestBody = input.body && (await describeBody(name, input.body, around));
  const hasInput = Object.keys(input).length > 0;
  return {
    ...notes,
    ...(listed.length > 0 && { parameters: listed }),
    ...(requestBody && { requestBody }),
    responses: {
      ...(hasInput && { 400: PROBLEM }),
      ...(input.body && { 415: { ...PROBLEM, description: 'The body is neither JSON nor a form.' } }),
      ...(output.length === 0 && { default: { description: 'Not described.' } }),
      ...responses,
    },
  };
}

/**
 * A schema in the document. If it refers to itself, it becomes a component, since its references would otherwise lead
 * elsewhere.
 */
function place(
  name: string,
  { schema: given, direction }: { schema: JsonSchema; direction: 'input' | 'output' },
  { schemas }: Surroundings,
): JsonSchema {
  const schema = withoutName(placeNamed(given, direction, schemas));
  if (!refersToItself(schema)) return schema;
  const unique = uniqueName(name, new Map(Object.entries(schemas)));
  const reference = `#/components/schemas/${unique}`;
  schemas[unique] = moveTo(reference, schema);
  return { $ref: reference };
}

/** The parameters of the pattern, each with its schema from the contract. */
function describePath(
  name: string,
  parameters: readonly PathParameter[],
  schema: StandardSchema | undefined,
  around: Surroundings,
): object[] {
  const described = listParameters(`${name}Path`, { schema, in: 'path' }, around);
  return parameters.map(({ name, isRest }) => ({
    name,
    in: 'path',
    required: true,
    ...(isRest && { description: 'One segment of the path or more.' }),
    schema: described.get(name)?.schema ?? { type: 'string' },
  }));
}

function describeParameters(
  name: string,
  part: { schema: StandardSchema | undefined; in: 'query' | 'header' },
  around: Surroundings,
): object[] {
  return [...listParameters(name, part, around)]
    .filter(([name]) => part.in !== 'header' || !NOT_PARAMETERS.has(name))
    .map(([name, { schema, isRequired }]) => ({ name, in: part.in, ...(isRequired && { required: true }), schema }));
}

/** OpenAPI describes these headers elsewhere: Parameter Object, `name`. */
const NOT_PARAMETERS = new Set(['accept', 'authorization', 'content-type']);

/** The properties of a schema. */
function listParameters(
  name: string,
  { schema, in: part }: { schema: StandardSchema | undefined; in: 'path' | 'query' | 'header' },
  around: Surroundings,
): Map<string, { schema: JsonSchema; isRequired: boolean }> {
  if (!schema) return new Map();
  const described = toJsonSchema(schema, 'input');
  if ('reason' in described) {
    around.warn(PART_NAMES[part], described.reason);
    return new Map();
  }
  const alone = withoutName(described.schema);
  const { properties, required } = alone as { properties?: Record<string, JsonSchema>; required?: string[] }; // JSON Schema
  if (!properties) {
    around.warn(PART_NAMES[part], 'its schema lists no properties, such as a union of objects.');
    return new Map();
  }
  const placed = place(name, { schema: alone, direction: 'input' }, around);
  const { $ref: reference, properties: inPlace } = placed as { $ref?: string; properties?: Record<string, JsonSchema> };
  return new Map(
    Object.entries(inPlace ?? properties).map(([key, schema]) => [
      key,
      {
        schema: reference === undefined ? schema : { $ref: `${reference}/properties/${toPointer(key)}` },
        isRequired: required?.includes(key) ?? false,
      },
    ]),
  );
}

const PART_NAMES = { path: 'the path', query: 'the query', header: 'the headers' };

function toPointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

async function describeBody(name: string, body: StandardSchema, around: Surroundings): Promise<object> {
  const described = toJsonSchema(body, 'input');
  if ('reason' in described) around.warn('the body', described.reason);
  const schema = 'reason' in described ? {} : described.schema;
  const media = { schema: place(`${name}Body`, { schema, direction: 'input' }, around) };
  const content = Object.fromEntries(listMediaTypes(withoutName(schema)).map((mediaType) => [mediaType, media]));
  return { ...(!(await acceptsNothing(body)) && { required: true }), content };
}

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The media types that a value can have: form fields are text and files. */
function listMediaTypes(schema: JsonSchema): string[] {
  const { type, properties } = schema;
  if (type === 'string') return ['application/json', 'text/plain'];
  if (type !== 'object' || typeof properties !== 'object' || properties === null) return ['application/json'];
  // JSON Schema: each of them is a schema.
  const fields = (Object.values(properties) as JsonSchema[]).map((field) => toSingle(field, schema));
  if (fields.some(isFile)) return ['multipart/form-data'];
  const isForm = fields.length > 0 && fields.every(isText);
  return ['application/json', ...(isForm ? FORMS : [])];
}

/** The schema of a field, or of each of its values if it may be repeated. */
function toSingle(field: JsonSchema, whole: JsonSchema): JsonSchema {
  const { items, ...schema } = followName(field, whole);
  const isList = schema['type'] === 'array' && typeof items === 'object' && items !== null;
  return isList ? followName(items as JsonSchema, whole) : schema; // JSON Schema
}

function isText({ type }: JsonSchema): boolean {
  return type === 'string';
}

function isFile(schema: JsonSchema): boolean {
  return isText(schema) && schema['format'] === 'binary';
}

async function describeResponse(
  name: string,
  [key, schema]: [string, StandardSchema],
  around: Surroundings,
): Promise<{ status: string; response: object }> {
  const described = toJsonSchema(schema, 'output');
  const isEmpty = 'reason' in described && (await acceptsNothing(schema));
  const status = key === 'default' ? (isEmpty ? '204' : '200') : key;
  const description = reasonPhrase(status);
  if (isEmpty) return { status, response: { description } };
  if ('reason' in described) around.warn(`the output for ${status}`, described.reason);
  const placed =
    'reason' in described
      ? {}
      : place(`${name}Response${status}`, { schema: described.schema, direction: 'output' }, around);
  return { status, response: { description, content: { 'application/json': { schema: placed } } } };
}

async function acceptsNothing(schema: StandardSchema): Promise<boolean> {
  try {
    const result = (await schema['~standard'].validate(undefined)) as { issues?: unknown }; // by its standard
    return result.issues === undefined;
  } catch {
    // A schema that cannot be inspected would answer 500.
    return false;
  }
}
