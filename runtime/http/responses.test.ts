import { expect, it } from 'vitest';
import { isResponse, toNativeResponse } from './responses.ts';

const source = { file: 'users+api.js', name: 'GET' };

/** A Response of a ponyfill. */
const ponyfill = (own: object): object => ({
  status: 200,
  statusText: '',
  headers: new Headers(),
  body: null,
  bodyUsed: false,
  [Symbol.toStringTag]: 'Response',
  ...own,
});

it('makes a Response of a ponyfill one of the platform', async () => {
  const given = ponyfill({
    status: 599,
    statusText: 'Made',
    headers: new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]),
    body: new Response('body').body,
  });
  expect(isResponse(given)).toBe(true);
  const response = toNativeResponse(given, source);
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.statusText, response.headers.getSetCookie(), await response.text()]).toEqual([
    599,
    'Made',
    ['a=1', 'b=2'],
    'body',
  ]);
});

it('takes a subclass for what it is', () => {
  class Page extends Response {
    get [Symbol.toStringTag](): string {
      return 'Page';
    }
  }
  const page = new Page();
  expect(toNativeResponse(page, source)).toBe(page);
});

it.each([
  [ponyfill({ status: 199 }), 'GET of users+api.js gave a Response of status 199. Give one from 200 to 599.'],
  [ponyfill({ status: 600 }), 'GET of users+api.js gave a Response of status 600. Give one from 200 to 599.'],
  [
    ponyfill({ status: 204, body: new ReadableStream() }),
    'GET of users+api.js gave a Response of status 204 with a body, which that status cannot have.',
  ],
  [ponyfill({ bodyUsed: true }), expect.stringMatching(/gave a Response whose body has already been read/)],
  ...[
    [null, 'null'],
    [undefined, 'undefined'],
    [5, 'a number'],
    [new Map(), 'an object of type Map'],
    [Object.create(null), 'an object of type Object'],
  ].map(([value, what]) => [
    value,
    `GET of users+api.js returned ${what} instead of a Response. Return new Response(…) or Response.json(…).`,
  ]),
])('refuses what cannot be sent: %o', (value, message) => {
  expect(() => toNativeResponse(value, source)).toThrow(
    expect.objectContaining({ code: 'ERR_RESPONSE_INVALID', message }),
  );
});
