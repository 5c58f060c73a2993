import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Plugin } from 'rolldown';

import { isFile } from '../../output/is-file.ts';
import { withoutMark } from '../../packages/parse-json.ts';

/** A file that has to be in `dist/client` because a module imports it. */
export interface Asset {
  /** The file to copy: an absolute path. */
  source: string;
  /** Where it goes, below the base of `dist/client`. Its name contains the hash of its content. */
  file: string;
}

/** The content types in `data:` URLs, by extension. Files of other kinds get a URL only on request. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  eot: 'application/vnd.ms-fontobject',
  otf: 'font/otf',
  ttf: 'font/ttf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  aac: 'audio/aac',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'video/webm',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
};

const EXTENSION = new RegExp(String.raw`\.(?:${Object.keys(MEDIA_TYPES).join('|')}|txt)$`, 'i');
const QUERY = /^[^\0]*\?(?:raw|url|inline|no-inline)$/;
/**
 * The names that the bundler asks the plugin about: everything but code. Every bundle compiles these expressions again;
 * if they listed extensions in upper and lower case, that would take longer than bundling a route. The plugin itself
 * checks more closely.
 */
const MAYBE_ASSET = { id: { include: /[.?][A-Za-z0-9-]+$/, exclude: /[jt]sx?$/ } };
/** Style sheets, which Vite compiles, unless their text is asked for. */
const STYLES = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss)$/i;

/**
 * Gives imports of assets the same value in every bundle, client and server. An image, font, recording, video or PDF is
 * its URL; so is any file with `?url`. A text file is its text, without a byte order mark; so is any file with `?raw`. With `?inline` an asset is
 * a `data:` URL. A file of `public` that is imported by its URL path is that path. In development it leaves URLs to
 * Vite, which serves the sources themselves.
 *
 * @param onAsset – called with each file that has a URL, possibly more than once.
 * @param toBase – returns the path that the app is below, such as `/shop`. Default: none.
 */
export function createAssetPlugin(
  projectRoot: string,
  onAsset: (asset: Asset) => void,
  toBase: () => string | undefined = () => undefined,
): Plugin & { name: string; enforce: 'pre' } {
  return {
    name: 'appkit:assets',
    enforce: 'pre',
    resolveId: {
      filter: MAYBE_ASSET,
      async handler(id, importer) {
        if (!isAsset(id)) return null;
        const [specifier, query] = splitQuery(id);
        if (isCompiled(specifier, query)) return null;
        if (specifier.startsWith('/') && isFile(path.join(projectRoot, 'public', specifier))) return `\0public:${id}`;
        if (query === undefined) return null;
        const resolved = await this.resolve(specifier, importer, { skipSelf: true });
        return resolved && !resolved.external ? `${splitQuery(resolved.id)[0]}?${query}` : null;
      },
    },
    load: {
      filter: MAYBE_ASSET,
      async handler(id) {
        const isPublic = id.startsWith('\0public:');
        if (!isPublic && !isAsset(id)) return null;
        const [name, query] = splitQuery(id.replace('\0public:', ''));
        if (isCompiled(name, query)) return null;
        const publicFolder = path.join(projectRoot, 'public', path.sep);
        const file = isPublic ? path.join(publicFolder, name) : name;
        if (isPublic && !file.startsWith(publicFolder)) return null;
        const extension = path.extname(file).slice(1).toLowerCase();
        // Only the bundler handles text files, including for require. Vite treats them as assets.
        if (query === undefined && extension === 'txt' && toMode(this) === undefined) return null;
        const toModule = (value: string) => ({
          code: `export default ${JSON.stringify(value)};`,
          moduleType: 'js' as const,
          moduleSideEffects: false,
        });
        if (query === 'raw' || (query === undefined && extension === 'txt')) {
          this.addWatchFile(file);
          return toModule(withoutMark(await readFile(file, 'utf8')));
        }
        if (query === 'inline') {
          this.addWatchFile(file);
          const type = MEDIA_TYPES[extension] ?? 'application/octet-stream';
          return toModule(`data:${type};base64,${await readFile(file, 'base64')}`);
        }
        if (isPublic) return toModule((toBase() ?? '') + encodeURI(name));
        if (toMode(this) === 'dev') return null;
        const asset = { source: file, file: `_appkit/assets/${toAssetName(file, await readFile(file))}` };
        onAsset(asset);
        return toModule(`${toBase() ?? ''}/${asset.file}`);
      },
    },
  };
}

function isAsset(id: string): boolean {
  return EXTENSION.test(id) || QUERY.test(id);
}

function isCompiled(name: string, query: string | undefined): boolean {
  return STYLES.test(name) && query !== 'raw';
}

function splitQuery(id: string): [string, string | undefined] {
  const mark = QUERY.test(id) ? id.lastIndexOf('?') : -1;
  return mark === -1 ? [id, undefined] : [id.slice(0, mark), id.slice(mark + 1)];
}

/** Vite's hooks know which environment they run for; those of the bundler alone do not. */
function toMode(context: object): unknown {
  const { environment }: { environment?: { mode?: unknown } } = context;
  return environment?.mode;
}

/** The name of a copy of a file, with the hash of its content. */
export function toAssetName(file: string, content: string | Uint8Array): string {
  const { name, ext } = path.parse(file);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `${name}-${hash}${ext}`.replaceAll(/[^\w.-]/g, '_');
}
