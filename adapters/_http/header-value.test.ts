import { expect, it } from 'vitest';
import { assertHeaderValue } from './header-value.ts';

it('refuses a header value with a control character, and names the header', () => {
  for (const code of [0, 8, 10, 13, 31, 127]) {
    expect(() => assertHeaderValue('x-name', `a${String.fromCharCode(code)}b`)).toThrow(
      expect.objectContaining({ code: 'ERR_RESPONSE_INVALID', message: expect.stringContaining('"x-name"') }),
    );
  }
  expect(() => assertHeaderValue('x-name', 'a\t b \x80\xff')).not.toThrow();
});
