import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../contract.ts';
import type { ContractHandler, ContractProblem } from '../contract.ts';
import { handlerOf } from '../fixtures/app.ts';
import { StatusError } from '../http/status-error.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** The answer of a route for `/notes/[id]`. */
async function answer(POST: unknown, init: RequestInit = {}, target = '/notes/7'): Promise<Response> {
  const handler = handlerOf({ routes: { '/notes/[id]': { POST } } }, { onError: (error) => void reported.push(error) });
  reported.length = 0;
  return handler(new Request(`http://app.test${target}`, { method: 'POST', ...init }));
}

const reported: unknown[] = [];

async function problemOf(response: Response): Promise<ContractProblem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return response.json() as Promise<ContractProblem>;
}

function sendJson(value: unknown): RequestInit {
  return { body: JSON.stringify(value), headers: JSON_TYPE };
}

const echo = (_request: Request, values: unknown): Response => Response.json(values);

describe('a contract by any library', () => {
  const notes: [library: string, handler: ContractHandler][] = [
    ['zod', contract({ input: { body: z.object({ title: z.string().min(1), tags: z.array(z.string()) }) } }, echo)],
    [
      'valibot',
      contract(
        { input: { body: v.object({ title: v.pipe(v.string(), v.minLength(1)), tags: v.array(v.string()) }) } },
        echo,
      ),
    ],
    ['arktype', contract({ input: { body: type({ title: 'string >= 1', tags: 'string[]' }) } }, echo)],
  ];
  for (const [library, handler] of notes) {
    it(`gives the handler the values, with ${library}`, async () => {
      const body = { title: 'a', tags: ['b'] };
      const response = await answer(handler, sendJson(body));
      expect(await response.json()).toEqual({ path: { id: '7' }, body });
    });

    it(`answers 400 with every problem and where it is, with ${library}`, async () => {
      const response = await answer(handler, sendJson({ title: '', tags: ['a', 1] }));
      expect(response.status).toBe(400);
      const { errors, ...problem } = await problemOf(response);
      expect(problem).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
      expect(errors.map((error) => [error.in, error.pointer]).toSorted()).toEqual([
        ['body', '#/tags/1'],
        ['body', '#/title'],
      ]);
      for (const { detail } of errors) expect(detail).toMatch(/\w/);
    });
  }
});

describe('the input of a contract', () => {
  const all = contract(
    {
      input: {
        path: z.object({ id: z.coerce.number().int() }),
        query: z.object({ page: z.coerce.number().default(1), tag: z.array(z.string()).optional() }),
        headers: z.object({ 'x-version': z.literal('2') }),
        body: z.object({ title: z.string() }),
      },
    },
    echo,
  );

  it('has every part as its schema returns it', async () => {
    const init = { body: '{"title":"a","other":1}', headers: { ...JSON_TYPE, 'X-Version': '2' } };
    expect(await (await answer(all, init, '/notes/7?page=2&tag=a&tag=b')).json()).toEqual({
      path: { id: 7 },
      query: { page: 2, tag: ['a', 'b'] },
      headers: { 'x-version': '2' },
      body: { title: 'a' },
    });
  });

  it('is refused with the problems of all parts at once', async () => {
    const response = await answer(all, { body: '{', headers: JSON_TYPE }, '/notes/x?page=y');
    expect(response.status).toBe(400);
    const { errors, detail } = await problemOf(response);
    expect(errors.map((error) => [error.in, error.pointer])).toEqual([
      ['path', '#/id'],
      ['query', '#/page'],
      ['header', '#/x-version'],
      ['body', '#'],
    ]);
    expect(detail).toBe('4 things are wrong with the request: see errors.');
  });

  it('is refused with a limited number of problems, however many there are', async () => {
    const handler = contract({ input: { body: z.array(z.string()) } }, echo);
    const { errors, detail } = await problemOf(
      await answer(handler, sendJson(Array.from({ length: 200_000 }, () => 1))),
    );
    expect(errors).toHaveLength(100);
    expect(detail).toBe('200000 things are wrong with the request: errors has the first 100.');
    const whole = await problemOf(await answer(handler, sendJson(Array.from({ length: 100 }, () => 1))));
    expect(whole.errors).toHaveLength(100);
    expect(whole.detail).toBe('100 things are wrong with the request: see errors.');
    expect(await problemOf(await answer(handler, sendJson([1])))).toMatchObject({
      detail: 'One thing is wrong with the request: see errors.',
    });
  });

  it('does not quote a body that is not JSON', async () => {
    const text = await (await answer(all, { body: '{"secret-of-mine', headers: JSON_TYPE })).text();
    expect(text).toContain('The body is not valid JSON.');
    expect(text).not.toContain('secret-of-mine');
  });

  it('has pointers with the required escapes', async () => {
    const handler = contract({ input: { body: z.object({ 'a/b~ c': z.array(z.object({ d: z.string() })) }) } }, echo);
    const { errors } = await problemOf(await answer(handler, sendJson({ 'a/b~ c': [{}] })));
    expect(errors[0]?.pointer).toBe('#/a~1b~0%20c/0/d');
  });

  it("limits the length of pointers and details, whatever the names of the client's fields", async () => {
    const body = z.record(z.string(), z.object({ a: z.array(z.number()) }));
    const handler = contract({ input: { body } }, echo);
    const response = await answer(handler, sendJson({ ['€'.repeat(300_000)]: { a: Array(100).fill('x') } }));
    const text = await response.text();
    expect([response.status, text.length < 200_000]).toEqual([400, true]);
    const lone = await problemOf(await answer(handler, { body: '{"\\ud800":{"a":["x"]}}', headers: JSON_TYPE }));
    expect(lone.errors[0]?.pointer).toBe('#/%EF%BF%BD/a/0');
  });

  it('answers 400 to a value that is nested too deeply for its schema', async () => {
    interface Nested {
      a?: Nested | undefined;
    }
    const nested: z.ZodType<Nested> = z.lazy(() => z.object({ a: nested.optional() }));
    const depth = 20_000;
    const handler = contract({ input: { body: nested } }, () => new Response('ok'));
    const response = await answer(handler, {
      body: `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`,
      headers: JSON_TYPE,
    });
    expect([response.status, (await problemOf(response)).errors]).toEqual([
      400,
      [{ in: 'body', pointer: '#', detail: 'It is nested too deeply.' }],
    ]);
  });

  it('is not to blame if a schema fails: onError receives the error', async () => {
    const body = z.unknown().refine(() => {
      throw new TypeError('no connection');
    });
    expect((await answer(contract({ input: { body } }, echo), sendJson(1))).status).toBe(500);
    expect(reported).toEqual([new TypeError('no connection')]);
  });

  it('has a pointer to the root if the schema names no place', async () => {
    const handler = contract({ input: { body: v.object({ a: v.string() }) } }, echo);
    const { errors } = await problemOf(await answer(handler, sendJson(1)));
    expect(errors).toMatchObject([{ in: 'body', pointer: '#' }]);
  });

  it('has a single value of a query as text, and a field called __proto__ as a field', async () => {
    const handler = contract({ input: { query: z.looseObject({ one: z.string() }) } }, (_request, { query }) =>
      Response.json(Object.entries(query)),
    );
    const response = await answer(handler, {}, '/notes/7?one=1&__proto__=2');
    expect(await response.json()).toContainEqual(['one', '1']);
    expect(Object.getPrototypeOf({})).not.toBe('2');
  });

  it('waits for a schema that is asynchronous', async () => {
    const body = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') });
    const handler = contract({ input: { body } }, echo);
    expect((await answer(handler, sendJson({ name: 'free' }))).status).toBe(200);
    expect((await problemOf(await answer(handler, sendJson({ name: 'taken' })))).errors).toEqual([
      { in: 'body', pointer: '#/name', detail: 'is taken' },
    ]);
  });
});

describe('the body of a contract', () => {
  const handler = contract({ input: { body: z.looseObject({}) } }, (_request, { body }) => Response.json(body));
  const optional = contract({ input: { body: z.object({ a: z.number() }).optional() } }, (_request, { body }) =>
    Response.json({ body: body ?? 'none' }),
  );

  it('may be a form, whose repeated fields are arrays', async () => {
    expect(await (await answer(handler, { body: new URLSearchParams('a=1&b=2&a=3&a=4') })).json()).toEqual({
      a: ['1', '3', '4'],
      b: '2',
    });
    const form = new FormData();
    form.append('a', '1');
    form.append('a', '2');
    expect(await (await answer(handler, { body: form })).json()).toEqual({ a: ['1', '2'] });
    expect(await (await answer(handler, { body: '', headers: FORM_TYPE })).json()).toEqual({});
  });

  it('may be a form with a file', async () => {
    const upload = contract({ input: { body: z.object({ file: z.file() }) } }, async (_request, { body: { file } }) =>
      Response.json({ name: file.name, text: await file.text() }),
    );
    const form = new FormData();
    form.append('file', new File(['bytes'], 'a.txt'));
    expect(await (await answer(upload, { body: form })).json()).toEqual({ name: 'a.txt', text: 'bytes' });
  });

  it('is JSON by any media type that says so', async () => {
    for (const mediaType of ['Application/JSON ; charset=utf-8', 'application/merge-patch+json']) {
      const response = await answer(handler, { body: '{"a":1}', headers: { 'content-type': mediaType } });
      expect(await response.json()).toEqual({ a: 1 });
    }
  });

  it('is undefined when it is empty, which the schema may allow', async () => {
    expect(await (await answer(optional, { headers: JSON_TYPE })).json()).toEqual({ body: 'none' });
    expect(await (await answer(optional)).json()).toEqual({ body: 'none' });
    for (const init of [{}, { headers: JSON_TYPE }]) {
      const { errors } = await problemOf(await answer(handler, init));
      expect(errors).toMatchObject([{ in: 'body', pointer: '#' }]);
    }
  });

  it('is the text of text/plain, unless the text is JSON that the schema refuses', async () => {
    const send = (body: string, schema: z.ZodType): Promise<Response> =>
      answer(contract({ input: { body: schema } }, echo), { body });
    const text = z.string().min(2);
    expect(await (await send('{}', text)).json()).toMatchObject({ body: '{}' });
    const short = await send('é', text);
    expect([short.status, (await problemOf(short)).errors]).toEqual([
      400,
      [{ in: 'body', pointer: '#', detail: expect.stringContaining('Too small') }],
    ]);
    // Its client has forgotten the Content-Type.
    expect((await send('{}', z.object({}))).status).toBe(415);
    for (const other of ['{', '5', 'null']) expect((await send(other, z.object({}))).status).toBe(400);
  });

  it('is refused with 400 if it is the JSON of a text, whatever that text is', async () => {
    expect((await answer(handler, sendJson('{}'))).status).toBe(400);
  });

  it('is refused with 415 when it has another type than the text that the schema accepts', async () => {
    const init = { body: 'a', headers: { 'content-type': 'text/html' } };
    expect((await answer(contract({ input: { body: z.string() } }, echo), init)).status).toBe(415);
  });

  it('is refused with 415 when it has another media type, and says what can be sent', async () => {
    const supported = 'application/json, application/x-www-form-urlencoded, multipart/form-data';
    for (const [what, init] of [
      ['A body of this media type', { body: '{}' }],
      ['A body without a Content-Type', { body: new Blob(['{}']) }],
      ['A body of this media type', { body: '{}', headers: { 'content-type': 'text/secret' } }],
    ] as const) {
      const response = await answer(handler, init);
      expect(response.status).toBe(415);
      expect(response.headers.get('accept')).toBe(supported);
      const problem = await problemOf(response);
      const detail = `${what} is not supported. Send one of ${supported}.`;
      const errors = [{ in: 'body', pointer: '#', detail }];
      expect(problem).toEqual({ type: 'about:blank', title: 'Unsupported Media Type', status: 415, detail, errors });
      expect(JSON.stringify(problem)).not.toContain('secret');
    }
  });

  it('is refused with 400 when it is not the form that its Content-Type declares', async () => {
    const init = { body: 'no parts', headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    const { errors } = await problemOf(await answer(handler, init));
    expect(errors).toEqual([{ in: 'body', pointer: '#', detail: 'The body is not a valid form.' }]);
  });

  it('keeps the error when the host refuses the body', async () => {
    const tooLarge = (mediaType: string): RequestInit & { duplex: 'half' } => ({
      body: new ReadableStream({ pull: (controller) => controller.error(new StatusError(413)) }),
      headers: { 'content-type': mediaType },
      duplex: 'half',
    });
    for (const mediaType of ['application/json', 'multipart/form-data; boundary=x', FORM_TYPE['content-type']]) {
      expect((await answer(handler, tooLarge(mediaType))).status).toBe(413);
    }
  });
});

describe('the output of a contract', () => {
  const Note = z.object({ title: z.string(), count: z.number().default(0) });

  it('is sent as JSON, as its schema returns it', async () => {
    const response = await answer(contract({ output: Note }, () => Object.assign({ title: 'a' }, { secret: 'b' })));
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ title: 'a', count: 0 });
  });

  it('that does not match becomes a 500, and onError receives the route and the places', async () => {
    const wrong = contract({ output: Note }, () => ({ title: 1, count: 'secret' }) as never);
    const response = await answer(wrong);
    expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ code: 'ERR_OUTPUT_INVALID' });
    expect(String(reported[0])).toMatch(
      /POST \/notes\/7 returned .*#\/title: .*; #\/count: .* Return a value that matches, change the schema, or return a Response/,
    );
  });

  it('that does not match is reported with at most ten places', async () => {
    const wrong = contract({ output: z.array(z.string()) }, () => Array.from({ length: 1000 }, () => 1 as never));
    expect((await answer(wrong)).status).toBe(500);
    expect(String(reported[0]).match(/#\/\d+: /g)).toHaveLength(10);
  });

  it('has the status of its schema', async () => {
    const created = contract({ output: { 404: z.object({ error: z.string() }), 201: Note } }, () => ({ title: 'a' }));
    expect((await answer(created)).status).toBe(201);
    const first = contract(
      { output: { 299: Note, 300: z.string(), 100: z.string() } },
      () => ({ title: 'a' }) as never,
    );
    expect((await answer(first)).status).toBe(299);
    expect((await answer(contract({ output: { 201: Note, 200: Note } }, () => ({ title: 'a' })))).status).toBe(200);
    const empty = await answer(contract({ output: z.undefined() }, () => undefined));
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });

  it('must be undefined for a status without a body, and onError says so', async () => {
    const given: unknown[] = [{ title: 'a' }, undefined];
    const none = contract({ output: { 204: z.unknown() } }, () => given.shift());
    expect((await answer(none)).status).toBe(500);
    expect(reported).toMatchObject([
      {
        code: 'ERR_OUTPUT_INVALID',
        message:
          'POST /notes/7 returned a value for the status 204, which has no body. Return undefined, or use another status.',
      },
    ]);
    expect((await answer(none)).status).toBe(204);
  });

  it('may be a returned or thrown Response, which is sent unchanged', async () => {
    const given = await answer(contract({ output: Note }, () => Response.json({ own: 1 }, { status: 409 })));
    expect([given.status, await given.json()]).toEqual([409, { own: 1 }]);
    const thrown = contract({ output: Note }, () => {
      throw new StatusError(404, 'no note');
    });
    expect(await (await answer(thrown)).json()).toEqual({ error: 'no note' });
  });

  it('for a success status without a schema is a Response too', async () => {
    const described = contract({ output: { 404: z.string() } }, () => 'plain' as never);
    expect((await answer(described)).status).toBe(500);
    expect(reported[0]).toMatchObject({ code: 'ERR_RESPONSE_INVALID' });
  });

  it('must be a Response without a schema, and anything else is refused as in any route', async () => {
    expect((await answer(contract({}, () => 1 as never))).status).toBe(500);
    expect(reported[0]).toMatchObject({ code: 'ERR_RESPONSE_INVALID' });
  });
});

it('leaves its definition for tools', () => {
  const definition = { summary: 'Add a note' };
  expect(contract(definition, () => new Response())['~contract']).toBe(definition);
});
