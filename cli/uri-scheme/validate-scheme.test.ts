import { describe, expect, it } from 'vitest';
import { assertUri, validateScheme } from './validate-scheme.ts';

describe('a scheme', () => {
  it.each(['com.example.app', 'a.b', 'io.x-y+z.1'])('%s is one', (scheme) => {
    expect(validateScheme(scheme)).toEqual({ scheme, warnings: [] });
  });

  it('in upper case is written in lower case, with a warning', () => {
    expect(validateScheme('Com.Example')).toEqual({
      scheme: 'com.example',
      warnings: [expect.objectContaining({ code: 'lower-cased' })],
    });
  });

  it.each(['myapp', 'a', 'a.', 'fb123'])('%s is not a reversed domain name, which causes a warning', (scheme) => {
    expect(validateScheme(scheme).warnings.map(({ code }) => code)).toEqual(['not-reverse-domain']);
  });

  it.each(['', '1a', '.a', 'a_b', 'a b', 'ä', 'a/b', 'a\n', '-a', 'a"b', 'http', 'HTTPS', 'javascript', 'file'])(
    '%j cannot belong to an app',
    (scheme) => {
      expect(() => validateScheme(scheme)).toThrow(expect.objectContaining({ code: 'ERR_SCHEME_INVALID' }));
    },
  );

  it.each(['myapp:', 'myapp://', 'myapp://path'])('%s contains more than a scheme, which the error says', (scheme) => {
    expect(() => validateScheme(scheme)).toThrow(
      expect.objectContaining({ fix: 'Leave out what follows the scheme: myapp' }),
    );
  });
});

describe('a URI', () => {
  it.each(['a:', "myapp://x?a=1&b='$(id)' ;#"])('%s is one', (uri) => {
    expect(() => assertUri(uri)).not.toThrow();
  });

  it.each(['', 'myapp', '//x', '-n:x', 'a:\nb', 'a:\u0000'])('%j is none', (uri) => {
    expect(() => assertUri(uri)).toThrow(expect.objectContaining({ code: 'ERR_URI_INVALID' }));
  });
});
