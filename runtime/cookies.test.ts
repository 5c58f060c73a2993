import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cookies } from './cookies.ts';
import type { CookieOptions } from './cookies.ts';
import { handlerOf } from './fixtures/app.ts';
import { cache, deferTask, setResponseHeaders, StatusError } from './index.ts';

/** The answer of an app with one route to GET. */
async function ask(
  GET: (request: Request) => unknown,
  { cookie, url = 'https://app.test/', ...app }: { cookie?: string; url?: string; middleware?: object } = {},
): Promise<Response> {
  const handler = handlerOf({
    usesCache: true,
    routes: { '/': { GET } },
    ...(app.middleware && { middleware: { default: app.middleware } }),
  });
  return handler(new Request(url, cookie === undefined ? {} : { headers: { cookie } }));
}

/** The `Set-Cookie` headers of an answer. */
async function setBy(run: () => void, url?: string): Promise<string[]> {
  const response = await ask(() => (run(), new Response()), url === undefined ? {} : { url });
  return response.headers.getSetCookie();
}

/** The error that setting a cookie throws. */
async function refusal(name: string, options: CookieOptions = {}, { value = 'a', url = 'https://app.test/' } = {}) {
  const response = await ask(
    () => {
      try {
        cookies().set(name, value, options);
        return new Response('set');
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        return new Response(`${code}: ${message}`);
      }
    },
    { url },
  );
  return response.text();
}

describe('cookies() that the browser has sent', () => {
  it('are read by name, decoded', async () => {
    const get = (): Response =>
      Response.json([cookies().get('a'), cookies().get('b'), cookies().has('a'), cookies().has('b')]);
    const response = await ask(get, { cookie: 'a=caf%C3%A9; c=3' });
    expect(await response.json()).toEqual(['café', null, true, false]);
  });

  it('are read by their own name, whatever another was set to', async () => {
    const get = (): Response => (cookies().set('b', '2'), Response.json([cookies().get('a'), cookies().get('c')]));
    expect(await (await ask(get, { cookie: 'a=1' })).json()).toEqual(['1', null]);
  });

  it('are all listed, only the first of two with the same name', async () => {
    const response = await ask(() => Response.json(cookies().getAll()), { cookie: 'a=1; b=2; a=3' });
    expect(await response.json()).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
  });

  it('do not include the names that every object has', async () => {
    const get = (): Response =>
      Response.json([cookies().get('constructor'), cookies().has('__proto__'), cookies().has('toString')]);
    expect(await (await ask(get)).json()).toEqual([null, false, false]);
  });

  it('may have such a name', async () => {
    const get = (): Response => Response.json([cookies().get('__proto__'), cookies().getAll()]);
    const response = await ask(get, { cookie: '__proto__=1; constructor=2' });
    expect(await response.json()).toEqual([
      '1',
      [
        { name: '__proto__', value: '1' },
        { name: 'constructor', value: '2' },
      ],
    ]);
  });

  it('are read from any header without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'ab%=;, "\\\té') }), async (cookie) => {
        const response = await ask(() => Response.json(cookies().getAll()), { cookie });
        expect(response.status).toBe(200);
      }),
    );
  });

  it('keep values that cannot be decoded unchanged', async () => {
    const response = await ask(() => new Response(cookies().get('a')), { cookie: 'a=50%' });
    expect(await response.text()).toBe('50%');
  });
});

describe('cookies().set()', () => {
  it('has safe defaults', async () => {
    expect(await setBy(() => cookies().set('a', '1'))).toEqual(['a=1; Path=/; HttpOnly; Secure; SameSite=Lax']);
  });

  it('is not Secure over http, whatever a header says', async () => {
    const handler = handlerOf({ routes: { '/': { GET: () => (cookies().set('a', '1'), new Response()) } } });
    const headers = { origin: 'https://app.test', 'x-forwarded-proto': 'https', forwarded: 'proto=https' };
    const response = await handler(new Request('http://localhost/', { headers }));
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/; HttpOnly; SameSite=Lax']);
  });

  it('follows its options, and treats undefined as absent', async () => {
    const options: CookieOptions = {
      maxAge: 60,
      domain: 'app.test',
      path: '/a',
      httpOnly: false,
      secure: true,
      sameSite: 'strict',
      partitioned: true,
      priority: 'high',
      expires: undefined,
    };
    expect(await setBy(() => cookies().set('a', '1', options), 'http://app.test/')).toEqual([
      'a=1; Max-Age=60; Domain=app.test; Path=/a; Secure; Partitioned; Priority=High; SameSite=Strict',
    ]);
    const unset = { path: undefined, secure: undefined, sameSite: undefined, httpOnly: undefined, domain: undefined };
    expect(await setBy(() => cookies().set('a', '1', unset))).toEqual(['a=1; Path=/; HttpOnly; Secure; SameSite=Lax']);
  });

  it('is seen by get() in the same request, and delete() too', async () => {
    const get = (): Response => {
      const seen = [cookies().get('a')];
      cookies().set('a', '2');
      seen.push(cookies().get('a'));
      cookies().delete('a');
      seen.push(cookies().get('a'));
      return Response.json([...seen, cookies().has('a'), cookies().getAll()]);
    };
    const response = await ask(get, { cookie: 'a=1; b=1' });
    expect(await response.json()).toEqual(['1', '2', null, false, [{ name: 'b', value: '1' }]]);
  });

  it('sends each cookie as its own header, and only the last of two with the same name', async () => {
    const set = (): void => {
      cookies().set('a', '1');
      cookies().set('b', '2');
      cookies().set('a', '3');
    };
    expect((await setBy(set)).map((one) => one.split(';')[0])).toEqual(['b=2', 'a=3']);
  });

  it('keeps cookies of one name apart by path and domain', async () => {
    const set = (): void => {
      cookies().set('a', '1', { path: '/shop' });
      cookies().set('a', '2', { domain: '.app.test' });
      cookies().set('a', '3', { domain: 'APP.test' });
      cookies().set('a', '4');
      cookies().set('a', '5', { path: '/blog' });
      cookies().set('aapp.test', '6');
    };
    expect((await setBy(set)).map((one) => one.split(';')[0])).toEqual(['a=1', 'a=3', 'a=4', 'a=5', 'aapp.test=6']);
  });

  it('replaces one for the whole host, whether or not the path is written out', async () => {
    const set = (): void => {
      cookies().set('a', '1', { path: '/' });
      cookies().set('a', '2');
    };
    expect((await setBy(set)).map((one) => one.split(';')[0])).toEqual(['a=2']);
  });

  it('is seen by get() as it was set last, for whatever path', async () => {
    const get = (): Response => {
      cookies().set('a', '1', { path: '/shop' });
      cookies().set('a', '2');
      cookies().set('a', '3', { path: '/shop' });
      return new Response(cookies().get('a'));
    };
    expect(await (await ask(get)).text()).toBe('3');
  });

  it('comes in addition to cookies of the answer and of setResponseHeaders()', async () => {
    const response = await ask(() => {
      setResponseHeaders({ 'set-cookie': ['b=2'] });
      cookies().set('a', '1', { secure: false });
      return new Response(null, { headers: { 'set-cookie': 'c=3' } });
    });
    expect(response.headers.getSetCookie().map((one) => one.split(';')[0])).toEqual(['c=3', 'b=2', 'a=1']);
  });

  it('reaches the browser with an error too', async () => {
    const response = await ask(() => {
      cookies().delete('a');
      throw new StatusError(401);
    });
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([
      'a=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  it('is removed for a page of another site too, where browsers ignore a cookie without SameSite=None', async () => {
    expect(await setBy(() => cookies().delete('a', { sameSite: 'none', partitioned: true }))).toEqual([
      'a=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; Partitioned; SameSite=None',
    ]);
  });

  it('of middleware is seen by the route', async () => {
    const middleware = (): void => cookies().set('a', 'from middleware');
    const response = await ask(() => new Response(cookies().get('a')), { middleware, cookie: 'a=1' });
    expect(await response.text()).toBe('from middleware');
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });

  it('of one request is not seen by another', async () => {
    await setBy(() => cookies().set('a', '1'));
    expect(await (await ask(() => Response.json(cookies().has('a')))).json()).toBe(false);
  });

  it('is too late in a deferred task, which can still read cookies', async () => {
    const seen = await new Promise((resolve) => {
      void ask(
        () => {
          deferTask(() => {
            try {
              cookies().set('a', '2');
            } catch (error) {
              const { code, message } = error as { code: string; message: string };
              resolve([code, message, cookies().get('a')]);
            }
          });
          return new Response();
        },
        { cookie: 'a=1' },
      );
    });
    const message =
      'The cookie "a" was set after the response has already been sent. Set it before the handler returns; a deferred ' +
      'task and what is streamed are too late.';
    expect(seen).toEqual(['ERR_RESPONSE_SENT', message, '1']);
  });

  it('preserves any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (value) => {
        const [header = ''] = await setBy(() => cookies().set('a', value));
        const cookie = header.split(';')[0] ?? '';
        const response = await ask(() => Response.json(cookies().get('a')), { cookie });
        expect(await response.json()).toBe(value);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses cookies that browsers would silently ignore', async () => {
    expect(await refusal('a b')).toContain(
      'ERR_COOKIE_INVALID: The cookie "a b" cannot be set: its name may only have',
    );
    for (const name of [undefined, 5]) expect(await refusal(name as never)).toContain('its name may only have');
    expect(await refusal('a', { path: 'shop' })).toContain('its path is "shop", which does not begin with /');
    expect(await refusal('a', { maxAge: 1.5 })).toContain('cookie maxAge is invalid: 1.5');
    expect(await refusal('a', { expires: new Date(NaN) })).toContain('cookie expires is invalid');
    expect(await refusal('a', { domain: 'a b' })).toContain('cookie domain is invalid');
    expect(await refusal('a', { sameSite: 'none', secure: false })).toContain('with SameSite=None it must be Secure');
    expect(await refusal('a', { partitioned: true, secure: false })).toContain('with Partitioned it must be Secure');
    expect(await refusal('a', {}, { value: '\ud800' })).toContain('half of a surrogate pair');
    expect(await refusal('a', {}, { value: 1 as unknown as string })).toContain('its value is of type number');
  });

  it('refuses names and values that are too long, without repeating the value', async () => {
    expect(await refusal('a', {}, { value: 'x'.repeat(4095) })).toBe('set');
    const refused = await refusal('a', {}, { value: 'x'.repeat(4096) });
    expect(refused).toContain('its name and value have 4097 bytes, and browsers keep at most 4096');
    expect(refused).not.toContain('xx');
  });

  it('enforces the rules of name prefixes', async () => {
    for (const name of ['__Host-a', '__Secure-a', '__Http-a', '__Host-Http-a', '__hOST-a']) {
      expect([name, await refusal(name)]).toEqual([name, 'set']);
      expect(await refusal(name, { secure: false })).toContain('with this prefix it must be Secure');
      expect(await refusal(name, {}, { url: 'http://app.test/' })).toContain('the request came over http');
    }
    for (const options of [{ path: '/a' }, { domain: 'app.test' }]) {
      expect(await refusal('__Host-a', options)).toContain('with the prefix __Host- its path is /');
      expect(await refusal('__Secure-a', options)).toBe('set');
    }
    expect(await refusal('__Http-a', { httpOnly: false })).toContain('must be HttpOnly');
    for (const name of ['a__Host-a', 'a__Http-a', 'a__Secure-a']) {
      expect([name, await refusal(name, { path: '/a', httpOnly: false, secure: false })]).toEqual([name, 'set']);
    }
    expect(await refusal('__Host-Http-a', { httpOnly: false })).toContain('must be HttpOnly');
  });

  it('makes a cookie with a prefix Secure on localhost, where browsers accept it over http', async () => {
    for (const host of ['localhost:8081', '127.0.0.1', '127.10.20.30', '[::1]:3000']) {
      expect(await setBy(() => cookies().set('__Host-a', '1'), `http://${host}/`)).toEqual([
        '__Host-a=1; Path=/; HttpOnly; Secure; SameSite=Lax',
      ]);
    }
    for (const url of ['http://localhost.evil.test/', 'http://app.test/?http://localhost/']) {
      expect(await refusal('__Host-a', {}, { url })).toContain('must be Secure');
    }
  });
});

describe('with cache()', () => {
  const personal = 'private, no-cache';
  const cacheControlOf = async (run: () => void, cookie = 'a=1'): Promise<string | null> => {
    const response = await ask(() => (cache({ maxAge: 60 }), run(), new Response()), { cookie });
    return response.headers.get('cache-control');
  };

  it('an answer for which a cookie was read or set is private', async () => {
    expect(await cacheControlOf(() => undefined)).toBe('public, max-age=0, s-maxage=60');
    expect(await cacheControlOf(() => cookies())).toBe('public, max-age=0, s-maxage=60');
    expect(await cacheControlOf(() => cookies().get('a'))).toBe(personal);
    expect(await cacheControlOf(() => cookies().has('b'))).toBe(personal);
    expect(await cacheControlOf(() => cookies().getAll())).toBe(personal);
    expect(await cacheControlOf(() => cookies().set('a', '2'))).toBe(personal);
    expect(await cacheControlOf(() => cookies().delete('a'))).toBe(personal);
  });
});

it('cookies() outside a request says so', () => {
  expect(() => cookies()).toThrow('cookies() was called outside a request.');
});
