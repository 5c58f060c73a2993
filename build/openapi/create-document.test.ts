import { Validator } from '@seriousme/openapi-schema-validator';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { contract } from 'appkit-server/contract';
import { type } from 'arktype';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createApiDocument } from './create-document.ts';
import type { ApiDocument } from './create-document.ts';

const INFO = { title: 'app', version: '1.0.0' };
const answer = (): Response => new Response();

/** A route's document, which the validator accepts. */
async function describe(
  module: Record<string, unknown>,
  { pattern = '/notes', methods = Object.keys(module) } = {},
): Promise<ApiDocument & { operation: Operation }> {
  const created = await createApiDocument([{ pattern, file: 'app/notes+api.ts', methods, module }], INFO);
  expect(await new Validator().validate(structuredClone(created.document))).toEqual({ valid: true });
  const [item = {}] = Object.values(created.document.paths);
  return { ...created, operation: Object.values(item)[0] as Operation };
}

function schemasOf(document: object): Record<string, unknown> {
  return (document as { components?: { schemas?: Record<string, unknown> } }).components?.schemas ?? {};
}

interface Operation {
  parameters?: Record<string, unknown>[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>;
}

it('describes an operation by its contract', async () => {
  const Note = z.object({ id: z.number(), title: z.string() });
  const PUT = contract(
    {
      summary: 'Save a note',
      operationId: 'saveNote',
      tags: ['notes'],
      deprecated: true,
      input: {
        path: z.object({ id: z.coerce.number().int() }),
        query: z.object({ draft: z.enum(['yes', 'no']).optional() }),
        headers: z.object({ 'if-match': z.string(), authorization: z.string() }),
        body: z.object({ title: z.string().min(1) }),
      },
      output: { 201: Note, 409: z.object({ error: z.string() }) },
    },
    answer,
  );
  const { document, warnings } = await describe({ PUT }, { pattern: '/notes/[id]' });
  expect(warnings).toEqual([]);
  expect(document).toMatchObject({ openapi: '3.1.1', info: INFO });
  const problem = { $ref: '#/components/responses/Problem' };
  const title = { type: 'string', minLength: 1 };
  const body = { schema: { type: 'object', properties: { title }, required: ['title'] } };
  expect(document.paths).toEqual({
    '/notes/{id}': {
      put: {
        summary: 'Save a note',
        operationId: 'saveNote',
        tags: ['notes'],
        deprecated: true,
        parameters: [
          { name: 'id', in: 'path', required: true, schema: expect.objectContaining({ type: 'integer' }) },
          { name: 'draft', in: 'query', schema: { type: 'string', enum: ['yes', 'no'] } },
          { name: 'if-match', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': body,
            'application/x-www-form-urlencoded': body,
            'multipart/form-data': body,
          },
        },
        responses: {
          201: { description: 'Created', content: { 'application/json': { schema: expect.anything() } } },
          400: problem,
          409: { description: 'Conflict', content: { 'application/json': { schema: expect.anything() } } },
          415: { ...problem, description: 'The body is neither JSON nor a form.' },
        },
      },
    },
  });
});

it('says how callers may authenticate, by the schemes of the app', async () => {
  const securitySchemes = {
    bearer: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: '__Host-auth-session' },
  };
  const module = {
    GET: contract({ security: [{ bearer: ['notes:read'] }, { session: [] }, {}] }, answer),
    PUT: contract({ security: [] }, answer),
    POST: contract({ security: [{ bearer: [], constructor: [] }] }, answer),
    PATCH: contract({ security: { bearer: [] } as never }, answer),
    DELETE: contract({ security: [{ bearer: 'notes' as never }] }, answer),
    HEAD: contract({ security: [[]] as never }, answer),
    OPTIONS: contract({ security: [{ bearer: [7] as never }] }, answer),
  };
  const methods = Object.keys(module);
  const route = { pattern: '/notes', file: 'app/notes+api.ts', methods, module };
  const { document, warnings } = await createApiDocument([route], { ...INFO, securitySchemes });
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(document).toMatchObject({ info: INFO, components: { securitySchemes } });
  const item = Object.entries(document.paths['/notes'] ?? {});
  expect(item.map(([method, operation]) => [method, (operation as { security?: unknown }).security])).toEqual([
    ['get', [{ bearer: ['notes:read'] }, { session: [] }, {}]],
    ['put', []],
    ['post', undefined],
    ['patch', undefined],
    ['delete', undefined],
    ['head', undefined],
    ['options', undefined],
  ]);
  const start = 'app/notes+api.ts: the OpenAPI document does not describe the security of';
  const wrong = 'it is not a list such as [{ bearer: [] }].';
  expect(warnings).toEqual([
    `${start} POST: securitySchemes of the app config has no constructor.`,
    `${start} PATCH: ${wrong}`,
    `${start} DELETE: ${wrong}`,
    `${start} HEAD: ${wrong}`,
    `${start} OPTIONS: ${wrong}`,
  ]);
});

it('warns of a scope that no flow of its scheme has', async () => {
  const flow = { tokenUrl: 'https://id.example/token', scopes: { read: 'Reads notes' } };
  const securitySchemes = {
    login: { type: 'oauth2', flows: { clientCredentials: flow, password: { ...flow, scopes: { admin: '' } } } },
    found: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
    broken: { type: 'oauth2', flows: { 'x-own': 'text' } },
  };
  const module = {
    GET: contract({ security: [{ login: ['read', 'admin'] }, { found: ['any'] }] }, answer),
    PUT: contract({ security: [{ found: [] }, { login: ['read', 'write', 'constructor'] }] }, answer),
    POST: contract({ security: [{ broken: ['read'] }] }, answer),
    PATCH: contract({ security: [{ login: ['write'] }, { found: [], login: ['write', 'drop', 'read'] }] }, answer),
  };
  const route = { pattern: '/notes', file: 'app/notes+api.ts', methods: Object.keys(module), module };
  const { document, warnings } = await createApiDocument([route], { ...INFO, securitySchemes });
  expect(document.paths['/notes']).toMatchObject({
    put: { security: [{ found: [] }, { login: ['read', 'write', 'constructor'] }] },
  });
  expect(warnings).toEqual([
    'app/notes+api.ts: the security of PUT has scopes that no flow of login declares in securitySchemes of the app config: write, constructor.',
    'app/notes+api.ts: the security of POST has a scope that no flow of broken declares in securitySchemes of the app config: read.',
    'app/notes+api.ts: the security of PATCH has scopes that no flow of login declares in securitySchemes of the app config: write, drop.',
  ]);
});

it('lists routes without a contract, with the parameters of their patterns', async () => {
  const { document } = await describe({ GET: answer, DELETE: answer }, { pattern: '/café {x}/[user-id]/[...path]' });
  const parameters = [
    { name: 'user-id', in: 'path', required: true, schema: { type: 'string' } },
    expect.objectContaining({ name: 'path', description: 'One segment of the path or more.' }),
  ];
  const operation = { parameters, responses: { default: { description: 'Not described.' } } };
  expect(document.paths).toEqual({
    '/caf%C3%A9%20%7Bx%7D/{user-id}/{path}': {
      get: { ...operation, operationId: 'getCafC3A9207Bx7DUserIdPath' },
      delete: { ...operation, operationId: 'deleteCafC3A9207Bx7DUserIdPath' },
    },
  });
  expect(document).not.toHaveProperty('components');
});

it('describes schemas of arktype, and of valibot with its package', async () => {
  for (const body of [
    type({ title: 'string >= 1' }),
    toStandardJsonSchema(v.object({ title: v.pipe(v.string(), v.minLength(1)) })),
  ]) {
    const { operation, warnings } = await describe({ POST: contract({ input: { body } }, answer) });
    expect(warnings).toEqual([]);
    expect(operation.requestBody?.content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { title: { type: 'string', minLength: 1 } },
      required: ['title'],
    });
  }
});

it('says which schemas cannot be described, and why', async () => {
  const GET = contract({ input: { query: v.object({ page: v.string() }) } }, answer);
  const POST = contract({ input: { body: z.object({ at: z.date() }) }, output: z.date() }, answer);
  const PUT = contract(
    { input: { query: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) } },
    answer,
  );
  const { document, warnings } = await describe({ GET, POST, PUT });
  const start = 'app/notes+api.ts: the OpenAPI document does not describe';
  expect(warnings).toEqual([
    `${start} the query of GET: the schema, which is of valibot, has no Standard JSON Schema. Wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema.`,
    `${start} the output for 200 of POST: Date cannot be represented in JSON Schema.`,
    `${start} the body of POST: Date cannot be represented in JSON Schema.`,
    `${start} the query of PUT: its schema lists no properties, such as a union of objects.`,
  ]);
  expect(document.paths['/notes']?.['post']).toMatchObject({
    requestBody: { content: { 'application/json': { schema: {} } } },
  });
});

it('has references that lead to the place of a recursive schema', async () => {
  const Tree = z.object({
    name: z.string(),
    get kids() {
      return z.array(Tree);
    },
  });
  const Slug = z.string().meta({ id: 'Slug' });
  const body = z.object({ first: Slug, second: Slug });
  const POST = contract({ input: { body, query: z.object({ a: Slug, b: Slug }) }, output: Tree }, () => ({
    name: '',
    kids: [],
  }));
  const { document } = await describe({ POST }, { pattern: '/trees/[id]' });
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]*)"/g)].map(([, found = '']) => found);
  expect(references).toContain('#/components/schemas/PostTreesIdResponse200');
  expect(references).toContain('#/components/schemas/Slug');
  for (const reference of references) {
    const keys = reference.split('/').slice(1);
    const found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[decodeURIComponent(key)], document);
    expect(found, reference).toBeTypeOf('object');
  }
});

it('lists the media types that a body can have', async () => {
  const mediaTypes = async (body: z.ZodType): Promise<string[]> => {
    const { operation } = await describe({ POST: contract({ input: { body } }, answer) });
    return Object.keys(operation.requestBody?.content ?? {});
  };
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  expect(await mediaTypes(z.object({ a: z.string(), b: z.array(z.string()) }))).toEqual(['application/json', ...forms]);
  expect(await mediaTypes(z.object({ a: z.string(), b: z.number() }))).toEqual(['application/json']);
  expect(await mediaTypes(z.object({ a: z.string(), file: z.file() }))).toEqual(['multipart/form-data']);
  expect(await mediaTypes(z.array(z.string()))).toEqual(['application/json']);
  expect(await mediaTypes(z.string())).toEqual(['application/json', 'text/plain']);
});

it('describes schemas that have names, as zod gives them by meta()', async () => {
  const Sort = z.enum(['newest', 'oldest']).meta({ id: 'Sort' });
  const Paging = z.object({ page: z.coerce.number().default(1), sort: Sort }).meta({ id: 'Paging' });
  const { warnings, operation, document } = await describe({
    GET: contract({ input: { query: Paging } }, answer),
  });
  expect(warnings).toEqual([]);
  expect(operation.parameters).toEqual([
    { name: 'page', in: 'query', schema: { default: 1, type: 'number' } },
    { name: 'sort', in: 'query', required: true, schema: { $ref: '#/components/schemas/Sort' } },
  ]);
  // A query has no schema of its own in OpenAPI, so its name is not used.
  expect(Object.keys(schemasOf(document))).toEqual(['Sort', 'Problem']);

  const mediaTypes = async (body: z.ZodType): Promise<string[]> =>
    Object.keys((await describe({ POST: contract({ input: { body } }, answer) })).operation.requestBody?.content ?? {});
  const Picture = z.file().meta({ id: 'Picture' });
  expect(await mediaTypes(z.object({ picture: Picture }).meta({ id: 'Upload' }))).toEqual(['multipart/form-data']);
  expect(await mediaTypes(z.object({ pictures: z.array(Picture) }))).toEqual(['multipart/form-data']);
  expect(await mediaTypes(z.object({ sort: Sort }).meta({ id: 'Form' }))).toContain('multipart/form-data');
});

it('says what is optional, and which responses are empty', async () => {
  const POST = contract({ input: { body: z.object({}).optional() }, output: z.undefined() }, () => undefined);
  const { operation, warnings } = await describe({ POST });
  expect(operation.requestBody).not.toHaveProperty('required');
  expect(operation.responses['204']).toEqual({ description: 'No Content' });
  expect(warnings).toEqual([]);
});

it('keeps operation names unique', async () => {
  const named = contract({ operationId: 'same' }, answer);
  const { document, warnings } = await describe({ GET: named, POST: named });
  expect(document.paths['/notes']).toMatchObject({
    get: { operationId: 'same' },
    post: { operationId: 'postNotes' },
  });
  expect(warnings).toEqual([expect.stringContaining('same is that of GET /notes too. Give it another.')]);
});

it('names each operation, and none as the app has named another', async () => {
  const taken = contract({ operationId: 'getNotesId' }, answer);
  const routes = ['/notes/[id]', '/notes/id', '/notes-id'].map((pattern) => ({ pattern, module: { GET: answer } }));
  const { document } = await createApiDocument(
    [...routes, { pattern: '/other', module: { GET: taken } }].map((route) => ({
      ...route,
      file: 'app/notes+api.ts',
      methods: ['GET'],
    })),
    INFO,
  );
  const ids = Object.values(document.paths).map(({ get }) => (get as { operationId: string }).operationId);
  expect(ids).toEqual(['getNotesId2', 'getNotesId3', 'getNotesId4', 'getNotesId']);
});

it('has one component of a name, wherever it is used', async () => {
  const Address = z.object({ street: z.string() }).meta({ id: 'Address' });
  const User = z.object({ name: z.string(), home: Address }).meta({ id: 'User' });
  const GET = contract({ output: { 200: z.array(User), 404: User } }, answer);
  const PUT = contract({ output: { 200: Address } }, answer);
  const { document } = await describe({ GET, PUT });
  const user = { $ref: '#/components/schemas/User' };
  const address = { $ref: '#/components/schemas/Address' };
  expect(schemasOf(document)).toMatchObject({
    User: { properties: { name: { type: 'string' }, home: address } },
    Address: { properties: { street: { type: 'string' } } },
  });
  expect(Object.keys(schemasOf(document))).toEqual(['User', 'Address']);
  const jsonOf = (schema: object): object => ({ content: { 'application/json': { schema } } });
  expect(document.paths['/notes']).toMatchObject({
    get: { responses: { 200: jsonOf({ type: 'array', items: user }), 404: jsonOf(user) } },
    put: { responses: { 200: jsonOf(address) } },
  });
});

it('names an input otherwise if it differs from the output, and so all that contain it', async () => {
  const Address = z.object({ street: z.string().default('') }).meta({ id: 'Address' });
  const User = z.object({ home: Address }).meta({ id: 'User' });
  const Role = z.enum(['admin', 'user']).meta({ id: 'Role' });
  const body = z.object({ user: User, role: Role });
  // The input comes first.
  const { document } = await describe({ POST: contract({ input: { body }, output: { 201: body } }, answer) });
  const schemas = schemasOf(document);
  expect(Object.keys(schemas).toSorted()).toEqual(['Address', 'AddressInput', 'Problem', 'Role', 'User', 'UserInput']);
  expect(schemas).toMatchObject({
    User: { properties: { home: { $ref: '#/components/schemas/Address' } } },
    UserInput: { properties: { home: { $ref: '#/components/schemas/AddressInput' } } },
    Address: { required: ['street'] },
  });
  expect(schemas['AddressInput']).not.toHaveProperty('required');
});

it('has one component of an object that is sent and received, open as an input is', async () => {
  const Note = z.object({ title: z.string(), by: z.object({ name: z.string() }) }).meta({ id: 'Note' });
  const { document } = await describe({ POST: contract({ input: { body: Note }, output: { 201: Note } }, answer) });
  expect(Object.keys(schemasOf(document)).toSorted()).toEqual(['Note', 'Problem']);
  expect(JSON.stringify(schemasOf(document)['Note'])).not.toContain('additionalProperties');
});

it('keeps a schema of the app apart that has the name of our own', async () => {
  const Problem = z.object({ mine: z.string() }).meta({ id: 'Problem' });
  const output = { 201: Problem };
  const { document } = await describe({ POST: contract({ input: { body: z.string() }, output }, answer) });
  expect(schemasOf(document)).toMatchObject({
    Problem: { properties: { title: {} } },
    Problem2: { properties: { mine: {} } },
  });
  const { document: alone } = await describe({ GET: contract({ output: z.string() }, answer) });
  expect(alone).not.toHaveProperty('components');
});

it('has a recursive schema with a name once', async () => {
  const Tree = z
    .object({
      get kids() {
        return z.array(Tree);
      },
    })
    .meta({ id: 'Tree' });
  const { document } = await describe({
    GET: contract({ output: Tree }, answer),
    PUT: contract({ output: z.array(Tree) }, answer),
  });
  const tree = { $ref: '#/components/schemas/Tree' };
  expect(schemasOf(document)).toMatchObject({ Tree: { properties: { kids: { type: 'array', items: tree } } } });
  expect(Object.keys(schemasOf(document))).toEqual(['Tree']);
});

it('lists a route that cannot be loaded, with the reason', async () => {
  const { document } = await describe({ failure: 'It throws when it is loaded.' }, { methods: ['GET'] });
  expect(document.paths['/notes']).toMatchObject({
    description: 'It throws when it is loaded.',
    get: { responses: { default: {} } },
  });
});
