import { environment, origin, runTask, setResponseHeaders, StatusError } from 'appkit-server';
import { cookies } from 'appkit-server/cookies';
import { notes } from '../lib/shared/notes.ts';
import { record } from '../lib/signals.ts';

export const config = {
  matcher: {
    methods: ['GET', 'POST', 'DELETE'],
    patterns: ['/middleware', '/middleware/[...rest]', '/guarded', '/guarded/[id]', '/(admin)/vault'],
  },
};

/** Marks every request it sees, then does what the query asks for. */
export default async function middleware(request: Request): Promise<Response | undefined> {
  setResponseHeaders({ 'x-middleware': 'ran' });
  const { pathname, searchParams } = new URL(request.url);
  switch (searchParams.get('middleware')) {
    case 'respond':
      return new Response('from middleware', { status: 203, headers: { 'x-own': 'middleware' } });
    case 'throw-response':
      throw new Response('thrown by middleware', { status: 401 });
    case 'status-error':
      throw new StatusError(403, 'not you');
    case 'error':
      throw new Error('secret of the middleware');
    case 'cookies':
      setResponseHeaders((headers) => headers.append('set-cookie', 'm=1'));
      return undefined;
    case 'jar':
      cookies().set('jar', 'from middleware');
      return undefined;
    case 'context':
      return Response.json({ origin: origin(), environment: environment() });
    case 'task':
      runTask(async () => record(searchParams.get('id') ?? ''));
      return undefined;
    case 'note':
      notes.set(searchParams.get('id') ?? '', 'from middleware');
      return undefined;
    case 'request':
      return Response.json({
        method: request.method,
        pathname,
        header: request.headers.get('x-sent'),
        isRequest: request instanceof Request,
        refusal: refusal(() => request.headers.set('x-sent', 'changed')),
      });
    case 'read-body': {
      const codes: string[] = [];
      for (const read of ['text', 'json', 'text', 'arrayBuffer', 'bytes', 'blob', 'formData'] as const) {
        codes.push(await request[read]().then(String, ({ code }) => code));
      }
      setResponseHeaders({ 'x-codes': [...new Set(codes)].join() });
      return undefined;
    }
    case 'invalid':
      return 'not a response' as unknown as Response;
    default:
      return undefined;
  }
}

function refusal(change: () => void): string {
  try {
    change();
    return 'none';
  } catch (error) {
    return (error as Error).name;
  }
}
