import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

/** The routes of the exported app, called without an adapter: the path is cut out of the URL, nothing is checked. */
export function createDirectHandler() {
  const functions = path.join(process.env.APPKIT_BUILD, '_appkit/functions/');
  const load = createRequire(functions);
  const [text, json, echo, upload, stream] = ['text', 'json/[id]', 'echo', 'upload', 'stream'].map((name) =>
    load(`${functions}${name}+api.js`),
  );
  return (request) => {
    const { url } = request;
    const pathname = url.slice(url.indexOf('/', 'https://'.length));
    if (pathname === '/text') return text.GET(request);
    if (pathname.startsWith('/json/')) return json.GET(request, { id: pathname.slice('/json/'.length) });
    if (pathname === '/echo') return echo.POST(request);
    if (pathname === '/upload') return upload.POST(request);
    return pathname === '/stream' ? stream.GET(request) : new Response('Not found', { status: 404 });
  };
}
