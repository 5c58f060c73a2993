import { createReadStream, readdirSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

const types = {
  '.css': 'text/css; charset=UTF-8',
  '.html': 'text/html; charset=UTF-8',
  '.js': 'application/javascript; charset=UTF-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=UTF-8',
};

/** The files of a folder by their URL path. */
export function findFiles(root) {
  const files = readdirSync(root, { recursive: true }).map((path) => join(root, path));
  return new Map(
    files.filter((path) => statSync(path).isFile()).map((path) => [encodeURI(`/${relative(root, path)}`), path]),
  );
}

/** Answers with a file. */
export function sendFile(file, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405).end();
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}
