import { environment, origin, setResponseHeaders, StatusError } from 'appkit-server';
import type { FetchContext } from 'appkit-server';

// Code that answers every request itself, like another framework's build.

type Answer = (request: Request, context: FetchContext) => Response | Promise<Response>;

const events = new Set<string>();

// It polls with a timer: workerd ends a request that waits only for another request, because that looks hung.
async function waitFor(event: string): Promise<void> {
  while (!events.has(event)) await new Promise((resolve) => setTimeout(resolve, 5));
}

const answers: Record<string, Answer> = {
  '/body': async (request) => new Response(await request.arrayBuffer()),
  '/stream': (request) => new Response(request.body),
  '/cookies': () =>
    new Response(null, {
      status: 204,
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    }),
  '/redirect': () => Response.redirect('https://other.example/', 303),
  '/context': (_, { clientAddress, requestId, env, platform }) =>
    Response.json({ clientAddress, requestId, variable: env['CONFORMANCE_SECRET'], platform: typeof platform }),
  '/helpers': async () => {
    await Promise.resolve();
    setResponseHeaders({ 'x-set': 'by a helper' });
    return Response.json({ environment: environment(), origin: origin() });
  },
  '/throws': () => {
    throw new Error('fetch threw');
  },
  '/status': () => {
    throw new StatusError(418, 'a teapot');
  },
  '/nothing': () => undefined as unknown as Response,
  '/task': ({ url }, { waitUntil }) => {
    const { search } = new URL(url);
    waitUntil(waitFor(`${search} begins`).then(() => events.add(`${search} ends`)));
    return new Response('did not wait');
  },
  '/task/begin': ({ url }) => {
    events.add(`${new URL(url).search} begins`);
    return new Response();
  },
  '/task/end': async ({ url }) => {
    await waitFor(`${new URL(url).search} ends`);
    return new Response('ended');
  },
  '/task/fails': (_, { waitUntil }) => {
    waitUntil(Promise.reject(new Error('the task failed')));
    return new Response('answered');
  },
};

export default {
  async fetch(request: Request, context: FetchContext): Promise<Response> {
    const { method, url } = request;
    const path = url.slice(new URL(url).origin.length);
    // Express mounts it below /sub, which stays in the URL.
    const answer = answers[path.replace(/^\/sub(?=\/)|\?.*$/g, '')];
    if (answer) return answer(request, context);
    return Response.json({ method, path }, { status: 299, headers: { 'x-method': method } });
  },
};
