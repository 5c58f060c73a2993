import { PassThrough, Readable } from 'node:stream';
import { query } from '../../../lib/query.ts';
import { record } from '../../../lib/signals.ts';

/** Returns or throws a stream that holds everything already. It is no data, and nobody reads it. */
export function loader(request: Request): Response {
  const table = new PassThrough();
  table.once('close', () => record(`${query(request, 'id')}-closed`));
  table.write('id,name\n');
  table.write('1,Ada\n');
  table.end();
  const body = Readable.toWeb(table) as ReadableStream<Uint8Array>;
  if (new URL(request.url).searchParams.has('throw'))
    throw new Response(body, { status: 503, headers: { 'content-type': 'text/csv' } });
  return new Response(body);
}

export default function Filled() {
  return <h1>Never seen</h1>;
}

export function ErrorBoundary() {
  return <h1>No data</h1>;
}
