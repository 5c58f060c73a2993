import { describe, expect, it, vi } from 'vitest';
import { buildOf, handlerOf } from '../fixtures/app.ts';
import { createHandler } from '../handler.ts';
import { deferTask, environment, origin, runTask, setResponseHeaders } from '../helpers.ts';
import { StatusError } from '../http/status-error.ts';

describe('environment()', () => {
  async function environmentFor(
    option: string | undefined,
    host: string | undefined,
    nodeEnv: string,
  ): Promise<string | null> {
    vi.stubEnv('NODE_ENV', nodeEnv);
    let seen: string | null = 'unset';
    const handler = handlerOf(
      { routes: { '/': { GET: () => ((seen = environment()), new Response()) } } },
      { environment: option },
    );
    await handler(new Request('http://app.test/'), { environment: host });
    vi.unstubAllEnvs();
    return seen;
  }

  it("is the option, otherwise the host's, otherwise NODE_ENV, and null for production or a missing name", async () => {
    expect(await environmentFor('staging', 'preview', 'test')).toBe('staging');
    expect(await environmentFor(undefined, 'preview', 'test')).toBe('preview');
    expect(await environmentFor(undefined, undefined, 'test')).toBe('test');
    expect(await environmentFor('production', 'preview', 'test')).toBe(null);
    expect(await environmentFor(undefined, 'production', 'test')).toBe(null);
    expect(await environmentFor(undefined, undefined, '')).toBe(null);
  });
});

describe('the request context', () => {
  it('is each request’s own across 1,000 concurrent ones', async () => {
    const handler = handlerOf({
      routes: {
        '/[id]': {
          GET: async (_request: Request, { id }: { id: string }) => {
            for (let turn = 0; turn < Number(id) % 7; turn++) await new Promise((resolve) => setTimeout(resolve));
            setResponseHeaders({ 'x-id': id });
            return new Response(origin());
          },
        },
      },
    });
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const answers = await Promise.all(
      ids.map(async (id) => {
        const headers = { origin: `https://h${id}.test` };
        const response = await handler(new Request(`http://app.test/${id}`, { headers }));
        return [response.headers.get('x-id'), await response.text()];
      }),
    );
    expect(answers).toEqual(ids.map((id) => [String(id), `https://h${id}.test`]));
  });

  it('is shared by two copies of this package', async () => {
    vi.resetModules();
    const copy = await import('../index.ts');
    expect(copy.StatusError).not.toBe(StatusError);
    const handler = handlerOf({
      routes: {
        '/helpers': {
          GET: () => {
            copy.setResponseHeaders({ 'x-copy': '1' });
            return new Response(copy.origin());
          },
        },
        '/error': { GET: () => Promise.reject(new copy.StatusError(418, 'copied')) },
      },
    });
    const response = await handler(new Request('http://app.test/helpers'));
    expect([response.headers.get('x-copy'), await response.text()]).toEqual(['1', 'http://app.test']);
    expect((await handler(new Request('http://app.test/error'))).status).toBe(418);
  });

  it('does not exist while a module loads, whichever request loads it', async () => {
    const build = buildOf({ routes: { '/': {} } });
    let atLoad: unknown;
    build.modules['/+api.js'] = async () => {
      atLoad = await Promise.resolve()
        .then(origin)
        .catch((error: unknown) => error);
      return { GET: () => new Response(origin()) };
    };
    const response = await createHandler(build)(new Request('http://app.test/'));
    expect(await response.text()).toBe('http://app.test');
    expect(String(atLoad)).toContain('outside a request');
  });

  it('outside a request, each helper throws an error with its name', () => {
    const calls: [name: string, call: () => unknown][] = [
      ['origin()', () => origin()],
      ['environment()', () => environment()],
      ['runTask()', () => runTask(() => {})],
      ['deferTask()', () => deferTask(() => {})],
      ['setResponseHeaders()', () => setResponseHeaders({})],
    ];
    for (const [name, call] of calls) expect(call).toThrow(`${name} was called outside a request`);
  });
});
