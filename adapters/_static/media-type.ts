/** One line per media type, followed by its file extensions. */
const TYPES = `
application/atom+xml atom
application/dash+xml mpd
application/epub+zip epub
application/geo+json geojson
application/gzip gz tgz
application/java-archive jar
application/json json map
application/ld+json jsonld
application/manifest+json webmanifest
application/msword doc
application/pdf pdf
application/pkcs7-mime p7m
application/rss+xml rss
application/rtf rtf
application/sql sql
application/toml toml
application/vnd.android.package-archive apk
application/vnd.apple.installer+xml mpkg
application/vnd.apple.mpegurl m3u8
application/vnd.apple.pkpass pkpass
application/vnd.ms-excel xls
application/vnd.ms-fontobject eot
application/vnd.ms-powerpoint ppt
application/vnd.oasis.opendocument.presentation odp
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.text odt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/wasm wasm
application/x-7z-compressed 7z
application/x-bzip2 bz2
application/x-tar tar
application/xml xml xsd xsl
application/yaml yaml yml
application/zip zip
application/zstd zst
audio/aac aac
audio/flac flac
audio/midi mid midi
audio/mp4 m4a
audio/mpeg mp3
audio/ogg oga ogg opus
audio/wav wav
audio/webm weba
font/collection ttc
font/otf otf
font/ttf ttf
font/woff woff
font/woff2 woff2
image/apng apng
image/avif avif
image/bmp bmp
image/gif gif
image/heic heic
image/heif heif
image/jpeg jpg jpeg
image/jxl jxl
image/png png
image/svg+xml svg
image/tiff tif tiff
image/webp webp
image/x-icon ico
model/gltf-binary glb
model/gltf+json gltf
model/vnd.usdz+zip usdz
text/cache-manifest appcache
text/calendar ics
text/css css
text/csv csv
text/html html htm
text/javascript js mjs cjs
text/markdown md markdown
text/plain txt text log
text/tab-separated-values tsv
text/vcard vcf
text/vtt vtt
video/iso.segment m4s
video/mp2t ts
video/mp4 mp4 m4v
video/mpeg mpeg mpg
video/ogg ogv
video/quicktime mov
video/webm webm
video/x-matroska mkv
video/x-msvideo avi
`;

const BY_ENDING = new Map(
  TYPES.trim()
    .split('\n')
    .flatMap((line) => {
      const [type = '', ...endings] = line.split(' ');
      return endings.map((ending) => [ending, withCharset(type)] as const);
    }),
);

/** Files without an extension that platforms accept only as JSON. */
const JSON_NAMES = new Set(['apple-app-site-association']);

/**
 * The `Content-Type` of a file, by its name. An export writes text as UTF-8, so text types say so.
 *
 * @param name – its path, with `/` between folders.
 */
export function toContentType(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (JSON_NAMES.has(base)) return withCharset('application/json');
  return BY_ENDING.get(base.slice(base.lastIndexOf('.') + 1).toLowerCase()) ?? 'application/octet-stream';
}

// Not XML, including SVG: the document itself declares its encoding, and this would override it.
function withCharset(type: string): string {
  return /^text\/|[/+]json$/.test(type) ? `${type}; charset=utf-8` : type;
}
