import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

const types = {
  '.css': 'text/css; charset=UTF-8',
  '.html': 'text/html; charset=UTF-8',
  '.js': 'application/javascript; charset=UTF-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=UTF-8',
};

/** The files of a folder by their decoded URL path. */
export function findFiles(root) {
  const files = readdirSync(root, { recursive: true }).map((path) => join(root, path));
  return new Map(files.filter((path) => statSync(path).isFile()).map((path) => [`/${relative(root, path)}`, path]));
}

/** Reads `_headers`: https://docs.netlify.com/manage/routing/headers. Of its syntax, what an export writes. */
export function readHeaders(root) {
  const file = join(root, '_headers');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rules = text.split(/^(?=\/)/m).map((rule) => rule.trim().split(/\s*\n\s*/));
  return (path) =>
    rules
      .filter(([pattern]) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern))
      .flatMap(([, ...lines]) => lines.map((line) => line.split(/:\s*(.*)/, 2)));
}

/** Answers with a file. */
export function sendFile(file, request, response, headers) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405).end();
    return;
  }
  const type = types[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, ...Object.fromEntries(headers) });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}
