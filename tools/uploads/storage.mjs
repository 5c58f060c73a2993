// S3-compatible storage with one bucket: node storage.mjs <folder of s3rver> <folder of the bucket>
import { createHash, createHmac } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const [tools = '', directory] = process.argv.slice(2);
const S3rver = createRequire(path.join(tools, 'package.json'))('s3rver');
const storage = new S3rver({ port: 0, directory, silent: true, configureBuckets: [{ name: 'uploads' }] });
const { port } = await storage.run();

// s3rver 3.7.1 accepts every version 4 signature, so signatures are checked in front of it.
const server = createServer((request, response) => {
  if (request.method === 'PUT' && !isSigned(request)) return void response.writeHead(403).end();
  const { method, url, headers } = request;
  const sent = httpRequest({ port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  request.pipe(sent);
});
server.listen(0, 'localhost', () => console.log(`Listening on http://localhost:${server.address().port}`));
process.once('SIGTERM', () => process.exit());

// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
function isSigned({ method, url, headers }) {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const given = searchParams.get('X-Amz-Signature');
  searchParams.delete('X-Amz-Signature');
  const [, ...scope] = (searchParams.get('X-Amz-Credential') ?? '').split('/');
  const date = searchParams.get('X-Amz-Date') ?? '';
  const signed = (searchParams.get('X-Amz-SignedHeaders') ?? '').split(';');
  const pairs = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).toSorted();
  const lines = signed.map((name) => `${name}:${headers[name] ?? ''}\n`).join('');
  const canonical = [method, pathname, pairs.join('&'), lines, signed.join(';'), 'UNSIGNED-PAYLOAD'].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash].join('\n');
  const hmac = (key, part) => createHmac('sha256', key).update(part).digest();
  return given === hmac(scope.reduce(hmac, 'AWS4S3RVER'), text).toString('hex');
}
