import { expect, it } from 'vitest';
import { parseReturnParams } from './return-url.ts';

const URL = 'https://app.example/callback';

it.each([
  ['a query', '?code=c&state=s', { code: 'c', state: 's' }],
  ['a fragment', '#code=c&state=s', { code: 'c', state: 's' }],
  ['both', '?state=s#code=c', { state: 's', code: 'c' }],
  ['nothing', '', {}],
  ['a line break after the query', '?code=c\n#state=s', { code: 'c\n', state: 's' }],
  ['a question mark in a value', '?code=a?b', { code: 'a?b' }],
  ['signs of equality in a value, as Base64 has them', '?code=YQ==&state==', { code: 'YQ==', state: '=' }],
  ['a name alone', '?code&=x', { code: '', '': 'x' }],
  ['spaces', '?a=b+c%20d', { a: 'b c d' }],
  ['a plus', '?a=b%2Bc', { a: 'b+c' }],
  ['characters of two, three and four bytes', '?a=%C3%A9%e2%82%ac%F0%9F%94%91', { a: 'é€🔑' }],
  ['ASCII between them', '?a=%C3%A9%41%C3%A9', { a: 'éAé' }],
  ['what is not UTF-8, which stays as it is', '?a=%FF&b=%C3%41&c=%&d=%zz', { a: '%FF', b: '%C3A', c: '%', d: '%zz' }],
  ['the name of a prototype', '?__proto__=x', Object.fromEntries([['__proto__', 'x']])],
])('reads %s', (_, part, params) => {
  expect(parseReturnParams(URL + part)).toStrictEqual({ params, contradictory: [] });
});

it('reads the parameters of a return URL with any scheme', () => {
  expect(parseReturnParams('com.example.app:/callback?code=c').params).toEqual({ code: 'c' });
});

it('finds names with different values (RFC 6749 section 3.1)', () => {
  const { contradictory } = parseReturnParams(`${URL}?code=a&state=s&iss=i#code=b&state=s&iss=j`);
  expect(contradictory).toEqual(['code', 'iss']);
});
