import { describe, expect, it } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import { origin } from '../helpers.ts';

describe('origin()', () => {
  async function originFor(
    header: string | undefined,
    host?: { origin?: string },
    origins?: string[],
  ): Promise<string | null> {
    let seen: string | null = null;
    const handler = handlerOf({ routes: { '/': { GET: () => ((seen = origin()), new Response()) } } }, { origins });
    await handler(new Request('http://app.test/', header === undefined ? {} : { headers: { origin: header } }), host);
    return seen;
  }

  it('is the Origin header when that is a single http(s) origin', async () => {
    expect(await originFor('https://shop.example')).toBe('https://shop.example');
    expect(await originFor('https://shop.example:8443', { origin: 'https://vouched.example' })).toBe(
      'https://shop.example:8443',
    );
  });

  it("is the one that the host vouches for, otherwise the URL's, when the header is not such an origin", async () => {
    for (const header of [
      undefined,
      'null',
      'https://a.test https://b.test',
      'file://x',
      'https://a.test/',
      'chrome-extension://x',
      'ws://a.test',
    ]) {
      expect(await originFor(header, { origin: 'https://vouched.example' }), String(header)).toBe(
        'https://vouched.example',
      );
      expect(await originFor(header), String(header)).toBe('http://app.test');
    }
  });

  it('accepts an http Origin header too', async () => {
    expect(await originFor('http://localhost:8081')).toBe('http://localhost:8081');
  });

  it('refuses an entry of the option origins that is not an origin', () => {
    for (const wrong of [
      'shop.example',
      'https://shop.example/',
      'file://x',
      'blob:https://shop.example',
      'ftp://shop.example',
      '',
    ]) {
      expect(() => handlerOf({}, { origins: ['https://shop.example', wrong] }), wrong).toThrow(
        expect.objectContaining({
          code: 'ERR_OPTION_INVALID',
          message:
            `The option origins lists "${wrong}", which is not an origin. Write scheme, host and port as a browser sends ` +
            'them, such as "https://shop.example", without a path or trailing slash.',
        }),
      );
    }
  });

  it('accepts only listed origins when origins are listed', async () => {
    expect(await originFor('https://evil.example', {}, ['https://shop.example'])).toBe('http://app.test');
    expect(await originFor('https://shop.example', {}, ['https://shop.example'])).toBe('https://shop.example');
  });
});
