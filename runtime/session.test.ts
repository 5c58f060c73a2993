import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cookies } from './cookies.ts';
import { handlerOf } from './fixtures/app.ts';
import { cache, deferTask } from './index.ts';
import { createJobContext } from './jobs/job-context.ts';
import { requestStore } from './request/context.ts';
import { createSession } from './session.ts';
import type { Session, SessionOptions } from './session.ts';

interface Visitor {
  user?: string;
  visits?: number;
}

const [oldSecret, newSecret] = ['old'.repeat(11), 'new'.repeat(11)];
const DAY = 24 * 60 * 60;

const create = (options: Partial<SessionOptions> = {}): Session<Visitor> =>
  createSession<Visitor>({ secrets: [oldSecret], ...options });

/** Runs code in a request, and returns its result and the answer's cookies. */
async function visit<Result>(
  run: () => Result | Promise<Result>,
  { cookie, url = 'https://app.test/' }: { cookie?: string | undefined; url?: string } = {},
): Promise<{ result: Result; set: string[]; cookie: string | undefined; headers: Headers }> {
  let result: Result | undefined;
  const GET = async (): Promise<Response> => ((result = await run()), new Response());
  let failure: unknown;
  const handler = handlerOf(
    { usesCache: true, routes: { '/': { GET } } },
    { onError: (error) => void (failure = error) },
  );
  const { headers } = await handler(new Request(url, cookie === undefined ? {} : { headers: { cookie } }));
  if (failure !== undefined) throw failure;
  const set = headers.getSetCookie();
  return { result: result as Result, set, cookie: set[0]?.split(';')[0], headers };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createSession()', () => {
  it('keeps data in a cookie that is bound to the host', async () => {
    const session = create();
    const { set, cookie } = await visit(() => session.set({ user: 'ada' }));
    expect(set).toEqual([
      expect.stringMatching(/^__Host-session=[\w.-]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect((await visit(() => session.get(), { cookie })).result).toEqual({ user: 'ada' });
  });

  it('calls onError with a change that nobody has awaited, and the process goes on', async () => {
    const session = create();
    const errors: string[] = [];
    const changes: Promise<unknown>[] = [];
    for (const change of [() => session.set({ user: 'ada' }), () => session.update(() => ({ user: 'bo' }))]) {
      const GET = (): Response => {
        changes.push(change());
        return new Response();
      };
      const handler = handlerOf({ routes: { '/': { GET } } }, { onError: (error) => void errors.push(String(error)) });
      expect((await handler(new Request('https://app.test/'))).headers.getSetCookie()).toEqual([]);
    }
    // An unhandled rejection would fail the run.
    await vi.waitFor(() => expect(errors).toHaveLength(2));
    expect(errors[0]).toContain('The cookie "__Host-session" was set after the response has already been sent.');
    expect((await Promise.allSettled(changes)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('calls onError with data that are too large, although nobody has awaited it, and the process goes on', async () => {
    const session = create();
    const onError = vi.fn();
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    try {
      const GET = (): Response => (void session.set({ user: 'a'.repeat(5000) }), new Response());
      await handlerOf({ routes: { '/': { GET } } }, { onError })(new Request('https://app.test/'));
      await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'ERR_COOKIE_INVALID' });
    expect(rejections).toEqual([]);
  });

  it('calls onError once with a change that a task has awaited too late', async () => {
    const session = create();
    const onError = vi.fn();
    const tasks: Promise<unknown>[] = [];
    const GET = (): Response => (deferTask(() => session.set({ user: 'ada' })), new Response());
    const waitUntil = (task: Promise<unknown>): void => void tasks.push(task);
    await handlerOf({ routes: { '/': { GET } } }, { onError })(new Request('https://app.test/'), { waitUntil });
    await Promise.all(tasks);
    expect(onError.mock.calls.map(([error]) => (error as { code: string }).code)).toEqual(['ERR_RESPONSE_SENT']);
  });

  it('rejects with whatever the function that changes the data throws', async () => {
    const thrown = await visit(() =>
      create()
        .update(() => {
          throw null;
        })
        .catch((error: unknown) => [error]),
    );
    expect(thrown.result).toEqual([null]);
  });

  it('does not lose updates of other parts of the request, and stays ended', async () => {
    const session = create();
    const { cookie } = await visit(() => session.set({ user: 'ada' }));
    const both = await visit(
      () =>
        Promise.all([
          session.update((data) => ({ ...data, visits: 1 })),
          session.update((data) => ({ ...data, user: 'bo' })),
        ]),
      { cookie },
    );
    expect((await visit(() => session.get(), { cookie: both.cookie })).result).toEqual({ user: 'bo', visits: 1 });
    const ended = await visit(
      () => {
        const updated = session.update((data) => ({ ...data, visits: 2 }));
        session.destroy();
        return updated;
      },
      { cookie },
    );
    expect(ended.set).toEqual([expect.stringMatching(/^__Host-session=; Max-Age=0;/)]);
  });

  it('does not lose an update that ends while another one still opens the cookie', async () => {
    const session = create();
    const { cookie } = await visit(() => session.set({ user: 'ada' }));
    const { decrypt } = crypto.subtle;
    const isOver = Promise.withResolvers<void>();
    let count = 0;
    const opened = vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...given) => {
      if (++count === 2) await isOver.promise;
      return Reflect.apply(decrypt, crypto.subtle, given);
    });
    const both = await visit(
      async () => {
        const first = session.update((data) => ({ ...data, visits: 1 }));
        const second = session.update((data) => ({ ...data, user: 'bo' }));
        await first;
        isOver.resolve();
        await second;
      },
      { cookie },
    );
    opened.mockRestore();
    expect((await visit(() => session.get(), { cookie: both.cookie })).result).toEqual({ user: 'bo', visits: 1 });
  });

  it('has a plain name over http, and a name for subdomains with a domain', async () => {
    expect((await visit(() => create().set({}), { url: 'http://localhost/' })).cookie).toMatch(/^session=/);
    expect((await visit(() => create({ domain: 'app.test', name: 'sid' }).set({}))).cookie).toMatch(/^__Secure-sid=/);
  });

  it('over https ignores a cookie that a page over http could have set', async () => {
    const session = create();
    const { cookie } = await visit(() => session.set({ user: 'ada' }), { url: 'http://app.test/' });
    expect((await visit(() => session.get(), { cookie })).result).toBe(undefined);
  });

  it('does not reveal the data, and is different each time', async () => {
    const session = create();
    const [first, second] = [
      await visit(() => session.set({ user: 'ada' })),
      await visit(() => session.set({ user: 'ada' })),
    ];
    expect(first.cookie).not.toBe(second.cookie);
    for (const part of first.cookie?.split('=')[1]?.split('.') ?? []) {
      expect(Buffer.from(part, 'base64url').toString()).not.toContain('ada');
    }
  });

  it('with encrypted: false can be read by the user, but not changed', async () => {
    const session = create({ encrypted: false });
    const { cookie = '' } = await visit(() => session.set({ user: 'ada' }));
    const [head, body = '', signature] = cookie.split('=')[1]?.split('.') ?? [];
    const content = JSON.parse(Buffer.from(body, 'base64url').toString()) as { data: unknown };
    expect(content.data).toEqual({ user: 'ada' });
    expect((await visit(() => session.get(), { cookie })).result).toEqual({ user: 'ada' });
    const changed = Buffer.from(JSON.stringify({ ...content, data: { user: 'eve' } })).toString('base64url');
    const forged = `__Host-session=${head}.${changed}.${signature}`;
    expect((await visit(() => session.get(), { cookie: forged })).result).toBe(undefined);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${changed}.`;
    expect((await visit(() => session.get(), { cookie: `__Host-session=${unsigned}` })).result).toBe(undefined);
  });

  it('is seen by the same request once set, changed or destroyed', async () => {
    const session = create();
    const { result, set } = await visit(async () => {
      await session.set({ user: 'ada' });
      const seen = [await session.get(), await session.update((data) => ({ ...data, visits: 1 })), await session.get()];
      session.destroy();
      return [...seen, await session.get()];
    });
    expect(result).toEqual([{ user: 'ada' }, { user: 'ada', visits: 1 }, { user: 'ada', visits: 1 }, undefined]);
    expect(set).toEqual([
      '__Host-session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  it('ends for a page of another site too, where browsers ignore a cookie without SameSite=None', async () => {
    const { set } = await visit(() => create({ sameSite: 'none' }).destroy());
    expect(set).toEqual([expect.stringMatching(/^__Host-session=; Max-Age=0; .*; Secure; SameSite=None$/)]);
  });

  it('does not accept a cookie of another app, name or kind, or one that was changed anywhere', async () => {
    const session = create();
    const { cookie = '' } = await visit(() => session.set({ user: 'ada' }));
    const value = cookie.split('=')[1] ?? '';
    const others = [
      await visit(() => create({ secrets: [newSecret] }).set({ user: 'eve' })),
      await visit(() => create({ name: 'other' }).set({ user: 'eve' })),
      await visit(() => create({ encrypted: false }).set({ user: 'eve' })),
    ].map((other) => `__Host-session=${other.cookie?.split('=')[1]}`);
    const changed = Array.from({ length: value.length }, (_, at) => {
      // They differ in a bit that is significant even at the end of a part.
      const other = value[at] === 'A' ? 'Q' : 'A';
      return `__Host-session=${value.slice(0, at)}${other}${value.slice(at + 1)}`;
    });
    for (const forged of [...others, ...changed]) {
      expect([forged, (await visit(() => session.get(), { cookie: forged })).result]).toEqual([forged, undefined]);
    }
  });

  it('does not accept any other text, and never throws', async () => {
    const session = create();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.base64String(), { maxLength: 6 }).map((parts) => parts.join('.').replaceAll('=', '')),
      fc.json().map((json) => `${Buffer.from(json).toString('base64url')}..AAAA.AAAA.AAAA`),
    );
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const cookie = `__Host-session=${encodeURIComponent(value)}`;
        expect((await visit(() => session.get(), { cookie })).result).toBe(undefined);
      }),
      { numRuns: 300 },
    );
  });
});

describe('how long a session lasts', () => {
  const later = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

  it('is stored in the cookie itself, so that a copy expires too', async () => {
    const session = create({ maxAge: DAY });
    const { cookie } = await visit(() => session.set({ user: 'ada' }));
    later(DAY - 1);
    expect((await visit(() => session.get(), { cookie })).result).toEqual({ user: 'ada' });
    later(1);
    expect((await visit(() => session.get(), { cookie })).result).toBe(undefined);
  });

  it('is not changed by reading or update()', async () => {
    const session = create({ maxAge: DAY });
    const first = await visit(() => session.set({ user: 'ada' }));
    later(DAY / 2);
    const second = await visit(() => session.update((data) => ({ ...data, visits: 2 })), { cookie: first.cookie });
    expect(second.set).toEqual([expect.stringContaining(`; Max-Age=${DAY / 2};`)]);
    expect((await visit(() => session.get(), { cookie: second.cookie })).set).toEqual([]);
    later(DAY / 2);
    expect((await visit(() => session.get(), { cookie: second.cookie })).result).toBe(undefined);
  });

  it('restarts with sliding when the session is used, but is not written for each request', async () => {
    const session = create({ maxAge: DAY, sliding: true });
    const first = await visit(() => session.set({ user: 'ada' }));
    later(DAY / 10);
    expect((await visit(() => session.get(), { cookie: first.cookie })).set).toEqual([]);
    later(1);
    const second = await visit(() => session.get(), { cookie: first.cookie });
    expect(second.set).toEqual([expect.stringContaining(`; Max-Age=${DAY};`)]);
    later(DAY - 1);
    expect((await visit(() => session.get(), { cookie: first.cookie })).result).toBe(undefined);
    expect((await visit(() => session.get(), { cookie: second.cookie })).result).toEqual({ user: 'ada' });
  });
});

describe('a change of secrets', () => {
  it('keeps sessions: all secrets read, and the cookie is written again with the first', async () => {
    const old = await visit(() => create().set({ user: 'ada' }));
    const rotated = create({ secrets: [newSecret, oldSecret] });
    const read = await visit(() => rotated.get(), { cookie: old.cookie });
    expect(read.result).toEqual({ user: 'ada' });
    expect(read.set).toHaveLength(1);
    // It is valid without the old secret, and is not written again.
    const after = await visit(() => create({ secrets: [newSecret] }).get(), { cookie: read.cookie });
    expect([after.result, after.set]).toEqual([{ user: 'ada' }, []]);
    expect((await visit(() => create({ secrets: [newSecret] }).get(), { cookie: old.cookie })).result).toBe(undefined);
  });

  it('does not prolong a session', async () => {
    const { cookie } = await visit(() => create({ maxAge: 100 }).set({ user: 'ada' }));
    vi.setSystemTime(Date.now() + 60_000);
    const { set } = await visit(() => create({ maxAge: 100, secrets: [newSecret, oldSecret] }).get(), { cookie });
    expect(set).toEqual([expect.stringContaining('; Max-Age=40;')]);
  });

  it('fails where the cookie cannot be written again, other than by coming too late', async () => {
    const url = 'http://app.test/';
    const { cookie } = await visit(() => create().set({ user: 'ada' }), { url });
    const rotated = create({ secrets: [newSecret, oldSecret], domain: 'a b' });
    await expect(visit(() => rotated.get(), { cookie, url })).rejects.toMatchObject({ code: 'ERR_COOKIE_INVALID' });
  });

  it('writes nothing in a deferred task, which can still read', async () => {
    const { cookie } = await visit(() => create().set({ user: 'ada' }));
    const rotated = create({ secrets: [newSecret, oldSecret] });
    const read = await new Promise((resolve) => {
      void visit(() => deferTask(async () => resolve(await rotated.get())), { cookie });
    });
    expect(read).toEqual({ user: 'ada' });
  });

  it('does not bring back a session that is destroyed meanwhile', async () => {
    const { cookie } = await visit(() => create().set({ user: 'ada' }));
    const rotated = create({ secrets: [newSecret, oldSecret] });
    const { set } = await visit(
      async () => {
        const reading = rotated.get();
        rotated.destroy();
        await reading;
      },
      { cookie },
    );
    expect(set).toEqual([expect.stringContaining('__Host-session=; Max-Age=0;')]);
  });
});

describe('what is refused', () => {
  it('is a guessable secret, at creation', () => {
    const refusal = (secrets: unknown): string => {
      try {
        createSession({ secrets: secrets as string[] });
        return 'none';
      } catch (error) {
        return `${(error as { code: string }).code}: ${(error as Error).message}`;
      }
    };
    expect(refusal(['x'.repeat(32)])).toBe('none');
    expect(refusal([newSecret, 'x'.repeat(31)])).toContain(
      'ERR_OPTION_INVALID: The option secrets of createSession(): secrets[1] has 31',
    );
    expect(refusal([undefined])).toContain('secrets[0] is of type undefined');
    expect(refusal([])).toBe(
      'ERR_OPTION_INVALID: The option secrets of createSession() lists no secret. Make one with openssl rand -base64 32, and ' +
        'keep it in a variable of the environment.',
    );
    expect(refusal(undefined)).toContain('lists no secret');
  });

  it('is such a secret from a function when it is first needed, and the function is called once', async () => {
    const none = create({ secrets: () => [''] });
    await expect(visit(() => none.set({}))).rejects.toThrow('secrets[0] has 0 characters');
    const secrets = vi.fn<() => string[]>(() => [newSecret]);
    const session = create({ secrets });
    expect((await visit(() => session.get())).result).toBe(undefined);
    expect(secrets).not.toHaveBeenCalled();
    const { cookie } = await visit(() => session.set({ user: 'ada' }));
    expect((await visit(() => session.get(), { cookie })).result).toEqual({ user: 'ada' });
    expect(secrets).toHaveBeenCalledOnce();
  });

  it('is an invalid name or time', () => {
    for (const name of ['', 'a b', '__Host-session']) {
      const message =
        `The option name of createSession() is ${JSON.stringify(name)}. Use letters, digits, - and _, without a prefix such ` +
        'as __Host-, which is added over https.';
      expect(() => create({ name })).toThrow(expect.objectContaining({ code: 'ERR_OPTION_INVALID', message }));
    }
    for (const maxAge of [0, 1.5, -1, NaN, Infinity, 400 * DAY + 1]) {
      const message = expect.stringContaining('The option maxAge') as string;
      expect(() => create({ maxAge })).toThrow(expect.objectContaining({ code: 'ERR_OPTION_INVALID', message }));
    }
  });

  it('is not a name with the prefix elsewhere, nor the shortest or longest time', () => {
    for (const options of [{ name: 'my__Host-session' }, { maxAge: 1 }, { maxAge: 400 * DAY }]) {
      expect(() => create(options)).not.toThrow();
    }
  });

  it('is more data than fits into a cookie', async () => {
    const session = create();
    await visit(() => session.set({ user: 'x'.repeat(2900) }));
    await expect(visit(() => session.set({ user: 'x'.repeat(3000) }))).rejects.toMatchObject({
      code: 'ERR_COOKIE_INVALID',
      message: expect.stringContaining('Keep an id in it, and the data in a database'),
    });
  });

  it('is a request outside of the app', async () => {
    const session = create();
    await expect(session.get()).rejects.toThrow('session.get() was called outside a request.');
    await expect(session.set({})).rejects.toThrow('session.set() was called outside a request.');
    await expect(session.update(() => ({}))).rejects.toThrow('session.update() was called outside a request.');
    expect(() => session.destroy()).toThrow('session.destroy() was called outside a request.');
  });

  it('is a job, which answers no request', async () => {
    const fail = (): never => expect.fail();
    const context = createJobContext({
      job: 'mail',
      environment: undefined,
      report: fail,
      waitUntil: fail,
      enqueue: fail,
    });
    const inJob = requestStore().run(context, () => create().set({}));
    await expect(inJob).rejects.toThrow('session.set() was called in the job mail');
  });
});

it('an answer that depends on the session is private, whatever cache() says', async () => {
  const session = create();
  const { headers } = await visit(async () => {
    cache({ maxAge: 60 });
    return session.get();
  });
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect((await visit(() => cache({ maxAge: 60 }))).headers.get('cache-control')).toContain('public');
});

it('leaves cookies of other names alone', async () => {
  const { set } = await visit(async () => {
    cookies().set('theme', 'dark');
    await create().set({});
  });
  expect(set).toHaveLength(2);
});
