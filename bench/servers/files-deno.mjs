import { folder } from './files.mjs';

// What one writes by hand: the file as a stream, after checking its date.
Deno.serve({ port: Number(Deno.env.get('PORT')), hostname: '127.0.0.1' }, async (request) => {
  const file = await Deno.open(folder + new URL(request.url).pathname);
  const { mtime, size } = await file.stat();
  const lastModified = mtime.toUTCString();
  if (request.headers.get('if-modified-since') === lastModified) {
    file.close();
    return new Response(null, { status: 304 });
  }
  return new Response(file.readable, { headers: { 'content-length': String(size), 'last-modified': lastModified } });
});
