import { setResponseHeaders } from 'appkit-server';

/** Puts what the client sends into headers, as a careless route does. */
export function GET(request: Request, { value }: { value: string }): Response {
  switch (new URL(request.url).searchParams.get('by')) {
    case 'helper':
      setResponseHeaders({ 'x-echo': value });
      return new Response('sent');
    case 'callback':
      setResponseHeaders((headers) => headers.append('set-cookie', `last=${value}`));
      return new Response('sent');
    case 'name':
      setResponseHeaders({ [value]: 'x' });
      return new Response('sent');
    case 'location':
      return new Response(null, { status: 302, headers: { location: value } });
    case 'redirect':
      return Response.redirect(new URL(value, request.url));
    case 'status':
      return new Response('sent', { statusText: value });
    default:
      return new Response('sent', { headers: { 'x-echo': value } });
  }
}
