import { describe, expect, it, vi } from 'vitest';
import { environment, origin, runTask } from '../../runtime/index.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createRequestHandler } from './index.ts';
import type { NetlifyHandler, NetlifyOptions } from './index.ts';

function handlerOf(route: (request: Request) => unknown, options: Partial<NetlifyOptions> = {}): NetlifyHandler {
  const build: ServerBuild = {
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: [] }] },
    modules: { 'x.js': () => ({ GET: route, HEAD: route, POST: route }) },
  };
  return createRequestHandler({ build, ...options });
}

const preview = 'https://deploy-preview-7--shop.netlify.app';

describe('the context', () => {
  it('has its waitUntil called as a method, with the task', async () => {
    const context = {
      tasks: [] as Promise<unknown>[],
      waitUntil(this: { tasks: Promise<unknown>[] }, task: Promise<unknown>) {
        this.tasks.push(task);
      },
    };
    const task = vi.fn(async () => {});
    const handler = handlerOf(() => {
      runTask(task);
      return new Response();
    });
    await handler(new Request(`${preview}/x`), context);
    await Promise.all(context.tasks);
    expect([context.tasks.length, task.mock.calls.length]).toEqual([1, 1]);
  });

  it('names the environment', async () => {
    const handler = handlerOf(() => new Response(String(environment())));
    const environmentOf = async (context: string): Promise<string> =>
      (await handler(new Request(`${preview}/x`), { deploy: { context } })).text();
    expect(await environmentOf('deploy-preview')).toBe('deploy-preview');
    expect(await environmentOf('production')).toBe('null');
  });

  it('leaves the environment to NODE_ENV without a deploy', async () => {
    vi.stubEnv('NODE_ENV', 'staging');
    const handler = handlerOf(() => new Response(String(environment())));
    const response = await handler(new Request(`${preview}/x`), { deploy: { context: '' } });
    vi.unstubAllEnvs();
    expect(await response.text()).toBe('staging');
  });

  it('may be missing', async () => {
    const handler = handlerOf(() => new Response('answered'));
    expect(await (await handler(new Request(`${preview}/x`))).text()).toBe('answered');
  });
});

describe('origin()', () => {
  it('belongs to the visited deploy, even for a preview', async () => {
    const site = { site: { url: 'https://shop.example' } };
    const response = await handlerOf(() => new Response(origin()))(new Request(`${preview}/x`), site as object);
    expect(await response.text()).toBe(preview);
  });
});

describe('a call with the event of the older export', () => {
  it('is refused, and names the export to use', async () => {
    const event = { httpMethod: 'GET', path: '/x', headers: {}, body: null };
    const answered = handlerOf(() => new Response())(event as unknown as Request);
    await expect(answered).rejects.toThrow(TypeError);
    await expect(answered).rejects.toThrow('export default createRequestHandler(…)');
  });
});

describe('a request body', () => {
  function post(body: string, headers: Record<string, string> = {}): Request {
    return new Request(`${preview}/x`, { method: 'POST', body, headers });
  }

  it('over the limit is 413, whether or not its length is announced', async () => {
    const handler = handlerOf(async (request) => new Response(await request.text()), { maxRequestBodySize: 3 });
    expect((await handler(post('four', { 'content-length': '4' }))).status).toBe(413);
    expect((await handler(post('four'))).status).toBe(413);
    expect(await (await handler(post('two'))).text()).toBe('two');
  });
});

describe('an answer to HEAD', () => {
  it('has its stream cancelled and its headers kept', async () => {
    const cancel = vi.fn();
    const handler = handlerOf(() => new Response(new ReadableStream({ cancel }), { headers: { 'x-own': 'HEAD' } }));
    const response = await handler(new Request(`${preview}/x`, { method: 'HEAD' }));
    expect([response.body, response.headers.get('x-own')]).toEqual([null, 'HEAD']);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1));
  });
});

describe('an answer whose body other code has taken', () => {
  it('is 500', async () => {
    const onError = vi.fn();
    const handler = handlerOf(
      () => {
        const response = new Response('text');
        response.body?.getReader();
        return response;
      },
      { onError },
    );
    const response = await handler(new Request(`${preview}/x`));
    expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'ERR_RESPONSE_INVALID' });
  });
});

describe('an answer with a length of its own', () => {
  const states = (length: string): ResponseInit => ({ headers: { 'content-length': length } });

  it('has the length of its body if that is complete', async () => {
    const response = await handlerOf(() => new Response('changed', states('8')))(new Request(`${preview}/x`));
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['7', 'changed']);
  });

  it('keeps it for a stream, and without a body', async () => {
    const stream = (): ReadableStream => new Blob(['eleven', ' byte']).stream().pipeThrough(new TransformStream());
    const streamed = await handlerOf(() => new Response(stream(), states('11')))(new Request(`${preview}/x`));
    expect([streamed.headers.get('content-length'), await streamed.text()]).toEqual(['11', 'eleven byte']);
    const bare = await handlerOf(() => new Response(null, states('11')))(new Request(`${preview}/x`));
    expect(bare.headers.get('content-length')).toBe('11');
  });
});
