import { expect, it } from 'vitest';
import { answerState, isSameRedirect, linkParameter } from './app-link.ts';

it.each([
  ['com.ex:/cb', 'com.ex:/cb'],
  ['com.ex:/cb', 'com.ex:/cb#access_token=a/b?c'],
  ['com.ex:/cb', 'COM.EX:/cb?code=1'],
  ['com.ex:cb', 'com.ex:cb?code=1'],
  ['myapp://cb', 'myapp://cb?code=1'],
  ['myapp://cb', 'myapp://cb/?code=1'],
  ['myapp://cb', 'myapp://cb/#code=1'],
  ['myapp:///cb', 'myapp:///cb?code=1#_=_'],
  ['https://example.com/cb', 'https://EXAMPLE.com:443/cb?code=1'],
  ['https://example.com', 'https://example.com/?code=1'],
  ['http://localhost:8081/cb', 'http://localhost:8081/cb'],
])('a return to %s may be %s', (redirectUrl, link) => {
  expect(isSameRedirect(redirectUrl, link)).toBe(true);
});

it.each([
  ['com.ex:/cb', 'com.ex:/cb2'],
  ['com.ex:/cb', 'com.ex:/cb/'],
  ['com.ex:/cb', 'com.ex:/CB'],
  ['com.ex:/cb', 'com.ex:/c%62'],
  ['com.ex:/cb', 'com.ex:///cb'],
  ['com.ex:/cb', 'com.exx:/cb'],
  ['com.ex:', 'com.ex:/'],
  ['myapp://cb', 'myapp:///cb'],
  ['myapp://cb', 'myapp://cb2'],
  ['myapp://cb', 'myapp://cb.evil'],
  ['myapp://cb', 'myapp://cb:80'],
  ['myapp://cb', 'myapp://evil@cb'],
  ['https://example.com/cb', 'https://example.com.evil/cb'],
  ['https://example.com/cb', 'https://example.com@evil/cb'],
  ['https://example.com/cb', 'https://example.com:444/cb'],
  ['https://example.com/cb', 'http://example.com/cb'],
  ['https://example.com/cb', 'https://evil/?https://example.com/cb'],
  ['https://example.com/cb', 'https://example.com/a/../cb'],
  ['/cb', '/cb'],
])('a return to %s is not %s', (redirectUrl, link) => {
  expect(isSameRedirect(redirectUrl, link)).toBe(false);
});

it('reads a parameter of the query or the fragment', () => {
  expect(linkParameter('com.ex:/cb?state=a%20b#state=c', 'state')).toBe('a b');
  expect(linkParameter('com.ex:/cb#x=1&state=c/d', 'state')).toBe('c/d');
  expect(linkParameter('com.ex:/cb?', 'state')).toBeNull();
  expect(linkParameter('com.ex:/cb?code=1&state=a=+b%3D=', 'state')).toBe('a= b==');
  expect(linkParameter('com.ex:/cb?state=%E0', 'state')).toBeNull();
});

it('reads the state of an answer, also of a signed one', () => {
  const jwt = (payload: string): string => `e30.${Buffer.from(payload).toString('base64url')}.c2ln`;
  expect(answerState('com.ex:/cb?state=a')).toBe('a');
  expect(answerState(`com.ex:/cb?response=${jwt('{"state":"aä🚀"}')}`)).toBe('aä🚀');
  expect(answerState(`https://app.example/cb#response=${jwt('{"state":"b"}')}`)).toBe('b');
  expect(answerState(`com.ex:/cb?state=a&response=${jwt('{"state":"b"}')}`)).toBe('a');
  for (const payload of ['{"state":1}', '{}', 'null', '[', '']) {
    expect(answerState(`com.ex:/cb?response=${jwt(payload)}`)).toBeNull();
  }
  for (const response of ['', 'a', 'a.b', '..', 'e30.%.c2ln']) {
    expect(answerState(`com.ex:/cb?response=${encodeURIComponent(response)}`)).toBeNull();
  }
});
