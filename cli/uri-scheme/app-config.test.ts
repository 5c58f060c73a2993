import { describe, expect, it } from 'vitest';
import { appConfig } from './app-config.ts';

const source = (text: string) => ({ path: '/app.json', file: 'app.json', text });
const add = (text: string, scheme = 'a.b'): string => appConfig.add(source(text), scheme, {}).text;
const remove = (text: string, scheme = 'a.b'): string => appConfig.remove(source(text), [scheme]).text;

describe('the key scheme', () => {
  it.each([
    ['{\n  "name": "x"\n}\n', '{\n  "name": "x",\n  "scheme": "a.b"\n}\n'],
    [
      '{\r\n\t"expo": {\r\n\t\t"name": "x"\r\n\t}\r\n}',
      '{\r\n\t"expo": {\r\n\t\t"name": "x",\r\n\t\t"scheme": "a.b"\r\n\t}\r\n}',
    ],
    ['{"name":"x"}', '{"name":"x", "scheme": "a.b"}'],
    ['{}', '{ "scheme": "a.b" }'],
    ['{\n}', '{\n  "scheme": "a.b"\n}'],
    ['{\n  "name": "x" // mine\n}', '{\n  "name": "x", // mine\n  "scheme": "a.b"\n}'],
    ['{\n  "name": "x", // mine\n}', '{\n  "name": "x", // mine\n  "scheme": "a.b",\n}'],
    ['{ "scheme": "one" }', '{ "scheme": ["one", "a.b"] }'],
    ['{ "scheme": ["one"] }', '{ "scheme": ["one","a.b"] }'],
    ['{ "scheme": ["one", "two"] }', '{ "scheme": ["one", "two", "a.b"] }'],
    ['{ "scheme": [\n  "one"\n] }', '{ "scheme": [\n  "one",\n  "a.b"\n] }'],
    ['{ "scheme": [] }', '{ "scheme": ["a.b"] }'],
    ['\uFEFF{ "scheme": [] }', '\uFEFF{ "scheme": ["a.b"] }'],
  ])('%j becomes %j, and becomes the first again', (before, after) => {
    expect(add(before)).toBe(after);
    expect(add(after)).toBe(after);
    expect(remove(after)).toBe(before);
  });

  it.each([
    ['{ "scheme": ["a.b", "one"] }', '{ "scheme": "one" }'],
    ['{\n  "scheme": "a.b",\n  "name": "x"\n}', '{\n  "name": "x"\n}'],
    ['{\n  "scheme": "a.b", // mine\n  "name": "x"\n}', '{\n  // mine\n  "name": "x"\n}'],
    ['{ "scheme": ["a.b", "one", "a.b"] }', '{ "scheme": "one" }'],
    ['{ "web": { "scheme": "a.b" } }', '{ "web": { "scheme": "a.b" } }'],
  ])('without the scheme, %j becomes %j', (before, after) => {
    expect(remove(before)).toBe(after);
  });

  it('is listed with its line', () => {
    const text = '{\n  "expo": {\n    "scheme": ["one",\n      "two"]\n  }\n}';
    expect(appConfig.list(source(text))).toEqual([
      { scheme: 'one', line: 3 },
      { scheme: 'two', line: 4 },
    ]);
  });

  it.each([
    ['{\n  "name" "x"\n}', 'app.json:2:10: This is not JSON: ColonExpected.'],
    ['[]', 'app.json:1:1: The config is not an object.'],
    ['', 'app.json:1:1: This is not JSON: ValueExpected.'],
    ['{ "scheme": 1 }', 'app.json:1:13: scheme is neither a string nor an array of strings.'],
    ['{ "scheme": [1] }', 'app.json:1:13: scheme is neither a string nor an array of strings.'],
  ])('cannot be read from %j: %s', (text, message) => {
    expect(() => add(text)).toThrow(expect.objectContaining({ code: 'ERR_FILE_MALFORMED', message }));
  });
});
