import { setResponseHeaders, StatusError } from 'appkit-server';

export async function GET(_request: Request, { kind }: { kind: string }): Promise<Response> {
  const response = new Response('body', { headers: { 'x-own': 'route', 'set-cookie': 'own=1' } });
  switch (kind) {
    case 'object':
      setResponseHeaders({ 'Retry-After': '3600', 'x-own': 'helper' });
      break;
    case 'list':
      setResponseHeaders({ 'set-cookie': ['a=1', 'b=2'], 'x-own': ['one', 'two'] });
      break;
    case 'headers': {
      const headers = new Headers({ 'x-own': 'helper' });
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      setResponseHeaders(headers);
      break;
    }
    case 'callback':
      setResponseHeaders((headers) => headers.append('Set-Cookie', 'token=123; Secure'));
      break;
    case 'callback-result':
      setResponseHeaders(() => new Headers({ 'x-own': 'merged', 'set-cookie': 'merged=1' }));
      break;
    case 'order':
      setResponseHeaders({ 'x-order': 'first' });
      setResponseHeaders((headers) => {
        headers.set('x-order', `${headers.get('x-order')} second`);
      });
      setResponseHeaders((headers) => {
        headers.append('x-order', 'third');
      });
      break;
    case 'after-await':
      await Promise.resolve();
      await new Promise((resolve) => setTimeout(resolve, 0));
      setResponseHeaders({ 'x-late': 'still in time' });
      break;
    case 'status-error':
      setResponseHeaders({ 'x-own': 'helper', 'set-cookie': ['a=1', 'b=2'] });
      throw new StatusError(418, 'teapot');
    case 'error':
      setResponseHeaders({ 'x-own': 'helper' });
      throw new Error('unhandled');
    case 'invalid':
      try {
        setResponseHeaders({ 'x-bad': 'a\r\nb' });
      } catch (error) {
        return new Response((error as Error).name);
      }
      break;
    case 'no-content':
      setResponseHeaders({ 'x-own': 'helper' });
      return new Response(null, { status: 204 });
    default:
      return new Response('unknown kind', { status: 404 });
  }
  return response;
}
