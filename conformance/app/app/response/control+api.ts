import { setResponseHeaders } from 'appkit-server';

/** Sends the character with the code `?code=` in the header `?name=`, set by the Response or, with `?late`, by the helper. */
export function GET(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const headers = {
    [searchParams.get('name') ?? 'x-name']: `a${String.fromCharCode(Number(searchParams.get('code')))}b`,
  };
  if (!searchParams.has('late')) return new Response('sent', { headers });
  setResponseHeaders(headers);
  return new Response('sent');
}
