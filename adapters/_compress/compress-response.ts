import { codedError } from '../../runtime/host.ts';
import type { CompressOptions } from '../_http/options.ts';
import { peek, toBytes } from '../_http/peek.ts';
import type { Beginning, BodyReader } from '../_http/peek.ts';
import { chooseCoding } from '../_static/accept-encoding.ts';
import type { Coding } from '../_static/accept-encoding.ts';
import type { Coder } from './coder.ts';
import { isCompressible, isEventStream, SMALL_BYTES } from './compressible.ts';

type Body = ConstructorParameters<typeof Response>[0];

/** Responses whose body is at hand, where a runtime has such. */
export interface WholeBodies {
  /** About how long a body is, at least, in bytes: `undefined` when it is not at hand. */
  lengthOf(response: Response): number | undefined;
  /** The body, which is used up by that. */
  take(response: Response): { body: string | Uint8Array | null } | undefined;
}

const NONE: WholeBodies = { lengthOf: () => undefined, take: () => undefined };

/**
 * Gives a Response in the coding that the client likes best. What is not to be compressed stays the same object.
 *
 * @param accept – gives the `Accept-Encoding` of the request, and is called only when that matters.
 */
export type CompressResponse = (
  response: Response,
  accept: () => string | null | undefined,
) => Response | Promise<Response>;

/**
 * Makes what compresses a Response when that is worth the time and the client takes it. A promise rejects when the body fails at once.
 *
 * The ETag becomes a weak one, since the same one would stand for different bytes: RFC 9110 section 8.8.3.3.
 *
 * @returns nothing when the option `compress` is off.
 * @throws TypeError when it is no boolean.
 */
export function createCompressResponse(
  { compress: option = true }: CompressOptions,
  { lengthOf, take }: WholeBodies = NONE,
): CompressResponse | undefined {
  if (typeof option !== 'boolean') {
    throw codedError('ERR_OPTION_INVALID', `The option compress is ${String(option)}. Give true or false.`);
  }
  if (!option) return undefined;
  return (response, accept) => {
    const length = lengthOf(response);
    if (length !== undefined && length < SMALL_BYTES && response.status !== 304) return response;
    if (!isCompressible(response.status, response.headers)) return response;
    const accepted = accept() ?? undefined;
    const coding = chooseCoding(accepted, ['zstd', 'br', 'gzip']);
    if (!coding) return withVary(response);
    if (response.status === 304) return withHead(response, null, weaken);
    // The answer to HEAD of a route's own.
    if (length === undefined && !response.body) return response;
    return code(response, { accepted, body: take(response)?.body ?? undefined });
  };
}

async function code(
  response: Response,
  { accepted, body }: { accepted: string | undefined; body: string | Uint8Array | undefined },
): Promise<Response> {
  // Loaded on first use: it takes longer than the rest of an adapter.
  const coders = await import('./coder.ts');
  const staysOpen = isEventStream(response.headers);
  const coding = chooseCoding(accepted, staysOpen ? ['gzip'] : coders.CODINGS);
  const codeWhole = async (whole: string | Uint8Array, coding: Coding): Promise<Response> =>
    withHead(response, await coders.compress(coding, whole), toCoded(coding));
  if (!coding) return withHead(response, (body ?? response.body) as Body, vary);
  if (body !== undefined) return codeWhole(body, coding);

  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const beginning = await peek(reader);
  const { whole } = beginning;
  if (!whole)
    return withHead(
      response,
      encode(reader, beginning, new coders.Coder(coding, { isSmall: staysOpen })),
      toCoded(coding),
    );
  return whole.byteLength < SMALL_BYTES ? withHead(response, whole as Body) : codeWhole(whole, coding);
}

/** The parts that a source gives, each coded by itself, no faster than they are read. */
function encode(reader: BodyReader, { chunk, next }: Beginning, coder: Coder): ReadableStream<Uint8Array> {
  let first = chunk;
  let begun: typeof next | undefined = next;
  const nextPart = async (): Promise<Uint8Array | undefined> => {
    const part = first;
    first = undefined;
    if (part) return part;
    const { done, value } = await (begun ?? reader.read());
    begun = undefined;
    return done ? undefined : toBytes(value);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const part = await nextPart();
            const coded = part ? await coder.write(part) : await coder.end();
            // A coder may hold a small part back.
            if (coded.byteLength > 0) controller.enqueue(coded);
            if (!part) return controller.close();
            if (coded.byteLength > 0) return;
          }
        } catch (error) {
          coder.destroy();
          throw error;
        }
      },
      async cancel(reason) {
        coder.destroy();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same for whoever does not take it compressed: a cache is told that others do. */
function withVary(response: Response): Response {
  try {
    vary(response.headers);
    return response;
  } catch {
    // Those of a Response that fetch() gave cannot be changed.
    return withHead(response, response.body, vary);
  }
}

function withHead(
  { status, statusText, headers }: Response,
  body: Body,
  change?: (headers: Headers) => void,
): Response {
  const changed = new Headers(headers);
  change?.(changed);
  return new Response(body, { status, statusText, headers: changed });
}

function toCoded(coding: Coding): (headers: Headers) => void {
  return (headers) => {
    headers.set('content-encoding', coding);
    headers.delete('content-length');
    weaken(headers);
  };
}

function weaken(headers: Headers): void {
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) headers.set('etag', `W/${etag}`);
  vary(headers);
}

function vary(headers: Headers): void {
  const names = headers.get('vary') ?? '';
  if (/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(names)) return;
  headers.set('vary', names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`);
}
