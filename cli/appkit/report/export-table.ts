import type { ExportedFile } from 'appkit-build';
import { formatBytes } from './size.ts';
import { formatTable } from './table.ts';

const MAX_ROWS = 40;
const SOURCE_MAPS = 'source maps';
const CHUNKS = 'server/_appkit/chunks/';

/**
 * A table of an export's files: path, size, and for files that clients load the size after gzip.
 *
 * Source maps are one row, and so are the chunks that routes share and each package copied next to the routes, which
 * may have hundreds of files. If there are more rows than fit a screen, the largest are listed.
 */
export function formatExport(files: readonly ExportedFile[]): string {
  const rows = mergeRows(files);
  const listed = new Set([...rows].sort((a, b) => b.bytes - a.bytes).slice(0, MAX_ROWS));
  const others = rows.filter((row) => !listed.has(row));
  const shown = rows.filter((row) => listed.has(row));
  if (others.length > 0) shown.push(sum(`${others.length} smaller ones`, others));

  return formatTable(
    [{ heading: 'File' }, { heading: 'Size', alignRight: true }, { heading: 'Gzip', alignRight: true }],
    shown.map(({ path, bytes, gzipBytes }) => [
      path,
      formatBytes(bytes),
      gzipBytes === undefined ? '' : formatBytes(gzipBytes),
    ]),
  );
}

function mergeRows(files: readonly ExportedFile[]): ExportedFile[] {
  const rows = new Map<string, ExportedFile[]>();
  for (const file of files) {
    const row = rowOf(file.path);
    const members = rows.get(row);
    if (members) members.push(file);
    else rows.set(row, [file]);
  }
  const maps = rows.get(SOURCE_MAPS);
  rows.delete(SOURCE_MAPS);
  if (maps) rows.set(SOURCE_MAPS, maps); // the last row
  return [...rows].map(([row, members]) => sum(row, members));
}

function rowOf(path: string): string {
  if (path.endsWith('.map')) return SOURCE_MAPS;
  if (path.startsWith(CHUNKS)) return CHUNKS;
  if (path.startsWith('client.files/')) return 'client.files/';
  return /^server\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(path)?.[0] ?? path;
}

function sum(path: string, files: readonly ExportedFile[]): ExportedFile {
  const zipped = files.flatMap(({ gzipBytes }) => gzipBytes ?? []);
  return {
    path,
    bytes: files.reduce((total, { bytes }) => total + bytes, 0),
    // A sum of only some files would be mistaken for the total.
    ...(zipped.length < files.length ? {} : { gzipBytes: zipped.reduce((total, bytes) => total + bytes, 0) }),
  };
}
