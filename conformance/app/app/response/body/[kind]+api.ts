const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index);

/** One response for each kind of body that the Fetch standard knows. */
export function GET(_request: Request, { kind }: { kind: string }): Response {
  switch (kind) {
    case 'string':
      return new Response('héllo');
    case 'empty-string':
      return new Response('');
    case 'json':
      return Response.json({ text: 'héllo' });
    case 'bytes':
      return new Response(allBytes);
    case 'buffer':
      return new Response(allBytes.buffer);
    case 'blob':
      return new Response(new Blob(['blob'], { type: 'text/x-blob' }));
    case 'params':
      return new Response(new URLSearchParams({ a: '1', b: 'two words' }));
    case 'form': {
      const form = new FormData();
      form.append('field', 'value');
      form.append('file', new Blob(['content'], { type: 'text/plain' }), 'a.txt');
      return new Response(form);
    }
    case 'null':
      return new Response(null);
    case 'view':
      return new Response(allBytes.subarray(16, 32));
    case 'coded':
      return new Response(new Uint8Array([0x1f, 0x8b, 0x08]), {
        headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
      });
    default:
      return new Response('unknown kind', { status: 404 });
  }
}
