import { codedError, readerOf } from '../../runtime/host.ts';
import type { CompressOptions } from '../_http/options.ts';
import { peek, toBytes } from '../_http/peek.ts';
import type { Beginning, BodyReader } from '../_http/peek.ts';
import { chooseCoding } from '../_static/accept-encoding.ts';
import type { Coding } from '../_static/accept-encoding.ts';
import type * as Coders from './coder.ts';
import { isCompressible, isEventStream, isVaried, SMALL_BYTES } from './compressible.ts';

type Body = ConstructorParameters<typeof Response>[0];

/** What is known about Responses whose body is in memory. */
export interface WholeBodies {
  /** Roughly the smallest possible length of the body, in bytes. `undefined` if it is not in memory. */
  lengthOf(response: Response): number | undefined;
  /** Takes the body. The Response is then used up. Default: it is read as a stream. */
  take?(response: Response): { body: string | Uint8Array | null } | undefined;
}

const NONE: WholeBodies = { lengthOf: () => undefined };

/**
 * Returns a Response in the coding that the client prefers. A Response that is not to be compressed is returned as it is.
 *
 * @param accept – returns the `Accept-Encoding` of the request, and is called only if that matters.
 */
export type CompressResponse = (
  response: Response,
  accept: () => string | null | undefined,
) => Response | Promise<Response>;

/**
 * Creates a function that compresses a Response if that is worth the time and the client accepts it. Its promise
 * rejects if the body fails at once.
 *
 * @returns undefined when the option `compress` is off.
 * @throws TypeError when it is not a boolean.
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
    if (response.status === 304) return isVaried(response.headers) ? withVary(response) : response;
    if (length !== undefined && length < SMALL_BYTES) return response;
    if (!isCompressible(response.status, response.headers)) return response;
    const accepted = accept() ?? undefined;
    const isAccepted = chooseCoding(accepted, ['zstd', 'br', 'gzip']) !== undefined;
    if (!isAccepted) return withVary(response);
    const whole = take?.(response)?.body;
    if (whole) return compressWhole(response, whole, accepted);
    // The answer of a route's own HEAD has no body.
    return response.body ? compressStream(response, readerOf(response.body), accepted) : response;
  };
}

let coders: Promise<typeof Coders> | undefined;

/** Loaded on first use: loading it takes longer than loading the rest of an adapter. A failed load is tried again next time. */
function loadCoders(): NonNullable<typeof coders> {
  return (coders ??= import('./coder.ts').catch((error: unknown) => {
    coders = undefined;
    throw error;
  }));
}

async function compressWhole(
  response: Response,
  whole: string | Uint8Array,
  accepted: string | undefined,
): Promise<Response> {
  const { CODINGS, compress } = await loadCoders();
  const coding = chooseCoding(accepted, CODINGS);
  if (!coding) return withHead(response, whole as Body, vary);
  return withHead(response, await compress(coding, whole), toCoded(coding));
}

async function compressStream(response: Response, reader: BodyReader, accepted: string | undefined): Promise<Response> {
  const beginning = await peek(reader);
  const { whole } = beginning;
  if (whole)
    return whole.byteLength < SMALL_BYTES
      ? withHead(response, whole as Body)
      : compressWhole(response, whole, accepted);

  const { STREAM_CODINGS, Coder } = await loadCoders();
  const staysOpen = isEventStream(response.headers);
  const coding = chooseCoding(accepted, staysOpen ? ['gzip'] : STREAM_CODINGS);
  const coder = coding && new Coder(coding, { isSmall: staysOpen });
  return withHead(response, encode(reader, beginning, coder ?? PLAIN), coding ? toCoded(coding) : vary);
}

/** How the parts of a stream are changed. */
type PartCoder = Pick<Coders.Coder, 'write' | 'end' | 'destroy'>;

/** For a stream whose beginning has been read, and which is sent unchanged. */
const PLAIN: PartCoder = {
  write: async (chunk) => chunk as Uint8Array<ArrayBuffer>,
  end: async () => new Uint8Array(),
  destroy: () => undefined,
};

/** The parts of a source, each coded separately, no faster than they are read. */
function encode(reader: BodyReader, { chunk, next }: Beginning, coder: PartCoder): ReadableStream<Uint8Array> {
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
            // A coder may hold back a small part.
            if (coded.byteLength > 0) controller.enqueue(coded);
            if (!part) return controller.close();
            if (coded.byteLength > 0) return;
          }
        } catch (error) {
          coder.destroy();
          // If a source cannot be cancelled, that is the route's problem.
          void reader.cancel(error).catch(() => undefined);
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

/** The same for a client that does not accept compression: tells caches that other clients do. */
function withVary(response: Response): Response {
  try {
    vary(response.headers);
    return response;
  } catch {
    // The headers of a Response from fetch() cannot be changed.
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

/**
 * Headers that describe the uncompressed body: its length, that byte ranges of it are available, and its digests, which
 * include the coding (RFC 9530 sections 2 and 3; the last two are their predecessors).
 */
const OF_UNCOMPRESSED = ['content-length', 'accept-ranges', 'content-digest', 'repr-digest', 'digest', 'content-md5'];

function toCoded(coding: Coding): (headers: Headers) => void {
  return (headers) => {
    headers.set('content-encoding', coding);
    for (const name of OF_UNCOMPRESSED) headers.delete(name);
    vary(headers);
  };
}

function vary(headers: Headers): void {
  const names = headers.get('vary') ?? '';
  if (/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(names)) return;
  headers.set('vary', names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`);
}
