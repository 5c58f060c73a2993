import { createReadStream, readdirSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.txt': 'text/plain',
};

/**
 * The files of a folder by their decoded URL path, as CloudFront gives them from a bucket: by their names and no others.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/DefaultRootObject.html
 */
export function findFiles(root) {
  const files = readdirSync(root, { recursive: true }).map((path) => join(root, path));
  return new Map(files.filter((path) => statSync(path).isFile()).map((path) => [`/${relative(root, path)}`, path]));
}

/** Answers with a file. A bucket takes no other method for it. */
export function sendFile(file, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(403).end();
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}
