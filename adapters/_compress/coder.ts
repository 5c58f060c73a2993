import { once } from 'node:events';
import { promisify } from 'node:util';
// The whole module: importing a name that an older Node does not have would fail.
import * as zlib from 'node:zlib';
import type { Coding } from '../_static/accept-encoding.ts';

const { constants } = zlib;

// As small as gzip, in less time: an answer is compressed for one client only.
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4 };

/** This runtime's codings in order of preference: Zstandard takes a third of Brotli's time. Node has it since 22.15. */
export const CODINGS: readonly Coding[] = 'zstdCompress' in zlib ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];

/**
 * The same for a stream, of which thousands may be open at a time: Brotli holds 540 KB for each, and cannot use less.
 * The others hold less than 200 KB with the settings of {@link Coder}.
 */
export const STREAM_CODINGS: readonly Coding[] = CODINGS.toSorted((a, b) => Number(a === 'br') - Number(b === 'br'));

/**
 * Bodies of up to this size, in bytes, are compressed synchronously: that takes less time than handing them to another
 * thread.
 */
const SYNC_BYTES = 32 * 1024;

/** Compresses a complete body. */
export async function compress(coding: Coding, body: string | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const size = bytes.byteLength;
  const isSmall = size <= SYNC_BYTES;
  if (coding === 'zstd') {
    // Without the size, zstd prepares for the largest.
    const options = { pledgedSrcSize: size };
    return isSmall ? zlib.zstdCompressSync(bytes, options) : promisify(zlib.zstdCompress)(bytes, options);
  }
  if (coding === 'br') {
    const options = { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: size } };
    return isSmall ? zlib.brotliCompressSync(bytes, options) : promisify(zlib.brotliCompress)(bytes, options);
  }
  return isSmall ? zlib.gzipSync(bytes) : promisify(zlib.gzip)(bytes);
}

/** Compresses a body part by part: the client can read each written part before the next one comes. */
export class Coder {
  readonly #stream: zlib.ZstdCompress | zlib.BrotliCompress | zlib.Gzip;
  #coded: Buffer[] = [];

  /** @param isSmall – for gzip: use half of the memory, for a stream that stays open and sends little. */
  constructor(coding: Coding, { isSmall = false }: { isSmall?: boolean } = {}) {
    this.#stream = createStream(coding, isSmall);
    // Flowing: otherwise the stream would stop in the middle of a part when too much is unread.
    this.#stream.on('data', (chunk: Buffer) => this.#coded.push(chunk));
    // The write fails too. Without a listener, the error would end the process.
    this.#stream.on('error', () => undefined);
  }

  /** The coded bytes of a part. They may be empty. */
  async write(chunk: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    return this.#take();
  }

  /** The bytes after the last part. */
  async end(): Promise<Uint8Array<ArrayBuffer>> {
    this.#stream.end();
    await once(this.#stream, 'end');
    return this.#take();
  }

  /** Frees its memory. */
  destroy(): void {
    this.#stream.destroy();
  }

  #take(): Uint8Array<ArrayBuffer> {
    const coded = Buffer.concat(this.#coded);
    this.#coded = [];
    return coded;
  }
}

// This makes a page hardly larger, but without it a client that keeps streams open could make a server hold five times
// as much: 820 KB for each.
const SMALL_ZSTD = {
  [constants.ZSTD_c_windowLog]: 16,
  [constants.ZSTD_c_hashLog]: 14,
  [constants.ZSTD_c_chainLog]: 14,
};

function createStream(coding: Coding, isSmall: boolean): zlib.ZstdCompress | zlib.BrotliCompress | zlib.Gzip {
  if (coding === 'zstd') {
    return zlib.createZstdCompress({ flush: constants.ZSTD_e_flush, chunkSize: 4096, params: SMALL_ZSTD });
  }
  if (coding === 'br') return zlib.createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI });
  const memory = isSmall ? { windowBits: 12, memLevel: 5, chunkSize: 4096 } : { windowBits: 14, memLevel: 7 };
  return zlib.createGzip({ flush: constants.Z_SYNC_FLUSH, ...memory });
}
