import { PassThrough, Readable } from 'node:stream';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** A stream that holds everything before it is returned, as libraries for archives and tables make it. With `?wait`, it is made when released. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  if (new URL(request.url).searchParams.has('wait')) {
    record(`${id}-called`);
    await waitFor(`${id}-go`);
  }
  const table = new PassThrough();
  table.once('close', () => record(`${id}-closed`));
  table.write('id,name\n');
  table.write('1,Ada\n');
  table.end();
  return new Response(Readable.toWeb(table) as ReadableStream<Uint8Array>);
}

export const HEAD = GET;
