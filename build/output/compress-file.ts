import { promisify } from 'node:util';
// A namespace import: importing a name that an older Node does not have would fail.
import * as zlib from 'node:zlib';

import type { BundleCache } from '../cache/bundle-cache.ts';

/** A content coding that a file can be sent in. */
export type Coding = 'br' | 'zstd' | 'gzip';

/** Smaller files fit into the first packets of a response anyway. */
const SMALL_BYTES = 1024;

/** Types that are not compressed already by their format. Source maps are for tools, which rarely request them. */
const COMPRESSIBLE =
  /\.(?:appcache|atom|bmp|cjs|css|csv|eot|geojson|gltf|htm|html|ics|ico|js|json|jsonld|log|m3u8|markdown|md|mjs|mpd|otf|rss|rtf|sql|svg|text|toml|tsv|ttf|txt|vcf|vtt|wasm|webmanifest|xml|xsd|xsl|yaml|yml)$/i;

// Nearly the best compression in a tenth of the time of the level above: React and its DOM take a second instead of
// five.
const BROTLI = { [zlib.constants.BROTLI_PARAM_QUALITY]: 10 };
const ZSTD = { [zlib.constants.ZSTD_c_compressionLevel]: 15 };

const COMPRESSORS: [Coding, ((content: Buffer) => Promise<Buffer>) | undefined][] = [
  ['br', (content) => promisify(zlib.brotliCompress)(content, { params: BROTLI })],
  // Node 22.15 is the first version that has it. Without the size, it prepares tables for the largest input: 50 ms of
  // processor time a file instead of 0.4.
  [
    'zstd',
    zlib.zstdCompress &&
      ((content) => promisify(zlib.zstdCompress)(content, { pledgedSrcSize: content.length, params: ZSTD })),
  ],
  ['gzip', (content) => promisify(zlib.gzip)(content, { level: 9 })],
];

/** Whether compressing a file is worth the time. */
export function isCompressible(name: string, bytes: number): boolean {
  return bytes >= SMALL_BYTES && COMPRESSIBLE.test(name);
}

/**
 * Compresses a file in each coding, unless an earlier export has done so.
 *
 * @param hash – the hash of its content.
 * @returns the codings that make it smaller.
 */
export async function compressFile(
  content: Buffer,
  { hash, cache }: { hash: string; cache: BundleCache },
): Promise<ReadonlyMap<string, Buffer>> {
  const what = ['compressed', hash, process.versions.zlib];
  const kept = cache.find(what);
  if (kept) return kept.files;
  const coded = await Promise.all(
    COMPRESSORS.map(async ([coding, compress]) => [coding, await compress?.(content)] as const),
  );
  const files = new Map(
    coded.flatMap(([coding, bytes]) => (bytes && bytes.length < content.length ? [[coding, bytes]] : [])),
  );
  cache.keep(what, { modules: [] }, { value: null, files });
  return files;
}
