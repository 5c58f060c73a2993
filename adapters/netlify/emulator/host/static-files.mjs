import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const types = {
  '.css': 'text/css; charset=UTF-8',
  '.html': 'text/html; charset=UTF-8',
  '.js': 'application/javascript; charset=UTF-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=UTF-8',
};

/** The files of a folder by their decoded URL path. */
export function findFiles(root) {
  const files = readdirSync(root, { recursive: true }).map((name) => path.join(root, name));
  return new Map(
    files.filter((file) => statSync(file).isFile()).map((file) => [`/${path.relative(root, file)}`, file]),
  );
}

/**
 * Reads `_headers`: https://docs.netlify.com/manage/routing/headers. Supports only the syntax that an export writes.
 */
export function readHeaders(root) {
  const file = path.join(root, '_headers');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rules = text.split(/^(?=\/)/m).map((rule) => rule.trim().split(/\s*\n\s*/));
  return (pathname) =>
    rules
      .filter(([pattern]) => (pattern.endsWith('*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern))
      .flatMap(([, ...lines]) => lines.map((line) => line.split(/:\s*(.*)/, 2)));
}

/** Answers with a file. */
export function sendFile(file, request, response, headers) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405).end();
    return;
  }
  const type = types[path.extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, ...Object.fromEntries(headers) });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}

/** Finds the file for a path of a URL. */
export function findFile(files, pathname) {
  const name = decode(pathname);
  return files.get(name) ?? files.get(`${name}index.html`) ?? files.get(`${name}.html`);
}

function decode(pathname) {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
