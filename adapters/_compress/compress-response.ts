import { codedError } from '../../runtime/host.ts';
import type { CompressOptions } from '../_http/options.ts';
import { peek, toBytes } from '../_http/peek.ts';
import type { Beginning, BodyReader } from '../_http/peek.ts';
import { chooseCoding } from '../_static/accept-encoding.ts';
import type { Coding } from '../_static/accept-encoding.ts';
import type * as Coders from './coder.ts';
import { isCompressible, isEventStream, isVaried, SMALL_BYTES } from './compressible.ts';

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
    if (response.status === 304) return isVaried(response.headers) ? withVary(response) : response;
    if (length !== undefined && length < SMALL_BYTES) return response;
    if (!isCompressible(response.status, response.headers)) return response;
    const accepted = accept() ?? undefined;
    const isAccepted = chooseCoding(accepted, ['zstd', 'br', 'gzip']) !== undefined;
    if (!isAccepted) return withVary(response);
    const whole = take(response)?.body;
    if (whole) return compressWhole(response, whole, accepted);
    // The answer to HEAD of a route's own has none.
    return response.body ? compressStream(response, response.body.getReader(), accepted) : response;
  };
}

let coders: Promise<typeof Coders> | undefined;

/** Loaded on first use: it takes longer than the rest of an adapter. */
function loadCoders(): NonNullable<typeof coders> {
  return (coders ??= import('./coder.ts'));
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

  const { CODINGS, Coder } = await loadCoders();
  const staysOpen = isEventStream(response.headers);
  const coding = chooseCoding(accepted, staysOpen ? ['gzip'] : CODINGS);
  const coder = coding && new Coder(coding, { isSmall: staysOpen });
  return withHead(response, encode(reader, beginning, coder ?? PLAIN), coding ? toCoded(coding) : vary);
}

/** What becomes of the parts of a stream. */
type PartCoder = Pick<Coders.Coder, 'write' | 'end' | 'destroy'>;

/** For a stream that has been looked into, and is sent as it is. */
const PLAIN: PartCoder = {
  write: async (chunk) => chunk as Uint8Array<ArrayBuffer>,
  end: async () => new Uint8Array(),
  destroy: () => undefined,
};

/** The parts that a source gives, each coded by itself, no faster than they are read. */
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
            // A coder may hold a small part back.
            if (coded.byteLength > 0) controller.enqueue(coded);
            if (!part) return controller.close();
            if (coded.byteLength > 0) return;
          }
        } catch (error) {
          coder.destroy();
          // A source that cannot be cancelled is the route's affair.
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

/** The same for a client that does not accept it compressed: a cache learns that others do. */
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
    // These describe the uncompressed body: its length, its digest, and that parts of it are available.
    for (const name of ['content-length', 'content-digest', 'accept-ranges']) headers.delete(name);
    vary(headers);
  };
}

function vary(headers: Headers): void {
  const names = headers.get('vary') ?? '';
  if (/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(names)) return;
  headers.set('vary', names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`);
}
