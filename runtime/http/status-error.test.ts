import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { routeOf } from '../fixtures/app.ts';
import { isCausedFailure, isStatusError, StatusError, statusErrorResponse } from './status-error.ts';

async function answerOf(error: StatusError): Promise<[status: number, type: string | null, body: string]> {
  const response = statusErrorResponse(error);
  return [response.status, response.headers.get('content-type'), await response.text()];
}

describe('StatusError', () => {
  const json = 'application/json; charset=utf-8';
  const table: [what: string, error: () => StatusError, status: number, body: string][] = [
    ['a string', () => new StatusError(400, 'bad'), 400, '{"error":"bad"}'],
    ['an empty string', () => new StatusError(400, ''), 400, '{"error":""}'],
    ['an Error', () => new StatusError(500, new Error('m')), 500, '{"error":"m"}'],
    [
      'an Error of another realm',
      () => new StatusError(500, runInNewContext("new Error('far')") as Error),
      500,
      '{"error":"far"}',
    ],
    ['an object', () => new StatusError(422, { field: 'y' }), 422, '{"error":{"field":"y"}}'],
    [
      'an object with its own error',
      () => new StatusError(422, { error: 'x', field: 'y' }),
      422,
      '{"error":"x","field":"y"}',
    ],
    ['an array', () => new StatusError(422, ['a', 1]), 422, '{"error":["a",1]}'],
    ['null', () => new StatusError(400, null), 400, '{"error":null}'],
    ['nothing', () => new StatusError(404), 404, '{"error":"Not Found"}'],
    ['nothing, for a status without a phrase', () => new StatusError(499), 499, '{"error":"Bad Request"}'],
  ];
  for (const [what, error, status, body] of table) {
    it(`with ${what} answers ${status} with ${body}`, async () => {
      expect(await answerOf(error())).toEqual([status, json, body]);
    });
  }

  it('takes JSON whose type is an interface, such as the issues of a schema', async () => {
    interface Issue {
      message: string;
      path?: PropertyKey[] | undefined;
    }
    const issue: Issue = { message: 'too short', path: undefined };
    const body = '{"message":"too short"}';
    expect((await answerOf(new StatusError(422, issue)))[2]).toBe(`{"error":${body}}`);
    expect((await answerOf(new StatusError(422, [issue])))[2]).toBe(`{"error":[${body}]}`);
    const whole = new StatusError(422, { error: 'Invalid', issues: [issue] });
    expect((await answerOf(whole))[2]).toBe(`{"error":"Invalid","issues":[${body}]}`);
  });

  it('takes no cause in place of a message, which the client would see, and nothing that is not JSON', () => {
    const wrong = (): unknown => [
      // @ts-expect-error -- the cause belongs into the options
      new StatusError(502, { cause: new Error('secret') }),
      // @ts-expect-error -- a Map has no JSON form
      new StatusError(400, new Map([[1, 2]])),
      // @ts-expect-error -- nor has a function
      new StatusError(400, () => 'text'),
      new StatusError(400, { cause: 'a text that the client may see' }),
    ];
    expect(wrong).toThrow('StatusError');
  });

  it.each([200, 599])('accepts the status %s', (status) => expect(new StatusError(status, 'x').status).toBe(status));

  it('says what to use instead of a status without a body', () => {
    expect(() => new StatusError(204)).toThrow(
      'StatusError cannot answer with status 204. Give a whole number from 200 to 599 that may carry a body; for 204, 205 ' +
        'and 304 return a Response.',
    );
  });

  for (const status of [0, 99, 101, 199, 204, 205, 304, 600, 200.5, Number.NaN]) {
    it(`refuses the status ${status} and names it`, () => {
      expect(() => new StatusError(status, 'x')).toThrow(RangeError);
      expect(() => new StatusError(status, 'x')).toThrow(String(status));
    });
  }

  it('refuses a message that JSON cannot carry, in the constructor', () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(() => new StatusError(400, cyclic as never)).toThrow(TypeError);
    expect(() => new StatusError(400, 1n as never)).toThrow(TypeError);
    expect(() => new StatusError(400, (() => 1) as never)).toThrow(TypeError);
  });

  it("says what a message may be, with JSON's error as the cause", () => {
    const message = 'The message of a StatusError must be a string, an Error or a value that JSON can carry.';
    expect(() => new StatusError(400, 1n as never)).toThrow(
      expect.objectContaining({ message, cause: expect.any(TypeError) as unknown }),
    );
    expect(() => new StatusError(400, Symbol('x') as never)).toThrow(expect.objectContaining({ message }));
  });

  it('has the JSON of its body as message when the body is not a string', () => {
    expect(new StatusError(422, { field: 'y' }).message).toBe('{"error":{"field":"y"}}');
  });

  it('is branded for every copy of this module, and printing it does not show the brand', () => {
    const error = new StatusError(418);
    const brand = Symbol.for('appkit.StatusError');
    expect(Object.keys(error)).not.toContain(brand);
    expect(Object.getOwnPropertyDescriptor(error, brand)).toMatchObject({ value: true, enumerable: false });
  });

  it('is not a value of another type', () => {
    for (const value of [undefined, 'text', 5, () => 1]) expect(isStatusError(value)).toBe(false);
  });

  it('is an Error with a name, the message and the cause', () => {
    const cause = new Error('m');
    expect(new StatusError(500, cause)).toMatchObject({ name: 'StatusError', message: 'm', cause, status: 500 });
  });

  it('has the cause it is given, whatever its message is', () => {
    const cause = new Error('db');
    expect(new StatusError(503, 'Not now', { cause })).toMatchObject({ message: 'Not now', cause });
    expect(new StatusError(503, undefined, { cause })).toMatchObject({ message: 'Service Unavailable', cause });
    expect(new StatusError(503, new Error('other'), { cause })).toMatchObject({ message: 'other', cause });
    expect('cause' in new StatusError(503, 'Not now')).toBe(false);
    expect('cause' in new StatusError(503, 'Not now', {})).toBe(false);
  });

  it('is reported with its cause when it represents a server failure, and does not reveal the cause to the client', async () => {
    const cause = new Error('db');
    const reported: unknown[] = [];
    const thrown = [
      new StatusError(503, 'Not now', { cause }),
      new StatusError(404, 'No such book', { cause }),
      new StatusError(503, 'Closed on Sundays'),
    ];
    for (const error of thrown) {
      const answer = await routeOf(() => Promise.reject(error), { onError: (told) => reported.push(told) })();
      expect([answer.status, await answer.json()]).toEqual([error.status, { error: error.message }]);
    }
    expect(reported).toEqual([thrown[0]]);
    expect((reported[0] as Error).cause).toBe(cause);
  });

  it('is a failure with a cause from status 500 on', () => {
    const withCause = [499, 500, 501].map((status) => new StatusError(status, 'x', { cause: new Error('db') }));
    expect(withCause.map(isCausedFailure)).toEqual([false, true, true]);
  });

  it('is recognized by its brand, not by its class', () => {
    class Lookalike extends Error {
      status = 418;
    }
    expect(isStatusError(new StatusError(418))).toBe(true);
    expect(isStatusError(new Lookalike())).toBe(false);
    expect(isStatusError(null)).toBe(false);
  });
});
