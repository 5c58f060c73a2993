import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';

const source = 'issue 24, sessions';

interface Answer {
  visitor: unknown;
  /** The cookies that the browser would send from now on. */
  cookie: string | undefined;
  set: string[];
}

/** Does something with a session, like a browser with this cookie. */
async function ask(
  host: Host,
  [method, which]: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', which: string],
  { cookie, body }: { cookie?: string | undefined; body?: string } = {},
): Promise<Answer> {
  const response = await host.fetch(`/session/${which}`, {
    method,
    ...(body !== undefined && { body }),
    headers: cookie === undefined ? {} : { cookie },
  });
  const set = response.headers.getSetCookie();
  const { visitor } = (await response.json()) as { visitor: unknown };
  return { visitor, set, cookie: set.at(-1)?.split(';')[0] ?? cookie };
}

behaviour('keeps a session from one request to the next', source, async (host) => {
  const { cookie, visitor } = await ask(host, ['POST', 'newer'], { body: 'Ada, café' });
  expect(visitor).toEqual({ user: 'Ada, café', visits: 0 });
  const second = await ask(host, ['PUT', 'newer'], { cookie });
  expect(second.visitor).toEqual({ user: 'Ada, café', visits: 1 });
  const third = await ask(host, ['GET', 'newer'], { cookie: second.cookie });
  expect([third.visitor, third.set]).toEqual([{ user: 'Ada, café', visits: 1 }, []]);
});

behaviour('sets the cookie of a session so that scripts and other sites do not get it', source, async (host) => {
  const { set } = await ask(host, ['POST', 'newer'], { body: 'Ada' });
  // If the request came over https, the prefix of the name makes the browser enforce it.
  expect(set).toEqual([
    expect.stringMatching(
      /^(?:__Host-session=[\w.-]+; Max-Age=1209(?:600|5\d\d); Path=\/; HttpOnly; Secure; SameSite=Lax|session=[\w.-]+; Max-Age=1209(?:600|5\d\d); Path=\/; HttpOnly; SameSite=Lax)$/,
    ),
  ]);
});

behaviour('shows nobody what is in a session', source, async (host) => {
  const { cookie = '' } = await ask(host, ['POST', 'newer'], { body: 'Ada' });
  const parts = cookie.slice(cookie.indexOf('=') + 1).split('.');
  expect(parts).toHaveLength(5); // RFC 7516 section 3.1
  expect(parts.map((part) => Buffer.from(part, 'base64url').toString()).join()).not.toContain('Ada');
});

behaviour('has no session for a cookie that was changed, or that it has not made', source, async (host) => {
  const { cookie = '' } = await ask(host, ['POST', 'newer'], { body: 'Ada' });
  const name = cookie.slice(0, cookie.indexOf('='));
  const last = cookie.at(-5) === 'A' ? 'B' : 'A';
  const other = await ask(host, ['POST', 'older'], { body: 'Eve' });
  for (const forged of [
    cookie.slice(0, -5) + last + cookie.slice(-4),
    other.cookie,
    `${name}=x`,
    `${name}=a.b.c.d.e`,
  ]) {
    expect((await ask(host, ['GET', 'newer'], { cookie: forged })).visitor).toBe(null);
  }
});

behaviour('ends a session', source, async (host) => {
  const { cookie } = await ask(host, ['POST', 'newer'], { body: 'Ada' });
  const ended = await ask(host, ['DELETE', 'newer'], { cookie });
  expect(ended.visitor).toBe(null);
  expect(ended.set).toEqual([
    expect.stringMatching(/session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT/),
  ]);
});

behaviour('keeps sessions through a change of secrets', source, async (host) => {
  const { cookie } = await ask(host, ['POST', 'older'], { body: 'Ada' });
  expect((await ask(host, ['GET', 'newer'], { cookie })).visitor).toBe(null);
  const read = await ask(host, ['GET', 'both'], { cookie });
  expect([read.visitor, read.set.length]).toEqual([{ user: 'Ada', visits: 0 }, 1]);
  // It was written again with the new secret, which is now enough.
  expect((await ask(host, ['GET', 'newer'], { cookie: read.cookie })).visitor).toEqual({ user: 'Ada', visits: 0 });
});

behaviour('lets a visitor read a session that is only signed, but not change it', source, async (host) => {
  const { cookie = '' } = await ask(host, ['POST', 'signed'], { body: 'Ada' });
  const [head = '', body = '', signature = ''] = cookie.split('.');
  const content = Buffer.from(body, 'base64url').toString();
  expect(JSON.parse(content)).toMatchObject({ data: { user: 'Ada', visits: 0 } });
  const changed = Buffer.from(content.replace('Ada', 'Eve')).toString('base64url');
  expect((await ask(host, ['GET', 'signed'], { cookie })).visitor).toEqual({ user: 'Ada', visits: 0 });
  expect((await ask(host, ['GET', 'signed'], { cookie: [head, changed, signature].join('.') })).visitor).toBe(null);
});

behaviour('calls onError with a session that is set too late and not awaited, and goes on', source, async (host) => {
  const server = await host.configured(withOptions);
  const response = await server.fetch('/session/unawaited');
  expect([response.status, await response.text(), response.headers.get('set-cookie')]).toEqual([200, '', null]);
  await server.waitForOutput(/onError: GET \S+: The cookie "\S+" was set after the response/);
  expect((await server.fetch('/hello')).status).toBe(200);
});
