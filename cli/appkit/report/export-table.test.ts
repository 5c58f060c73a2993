import { expect, it } from 'vitest';
import { formatExport } from './export-table.ts';

it('sums up source maps, shared chunks and each copied package in one row', () => {
  const paths = [
    'client/index.html',
    'server/_appkit/chunks/db-0a.js',
    'server/_appkit/chunks/db-0a.js.map',
    'server/_appkit/chunks/index-1b.js',
    'server/_appkit/functions/a+api.js',
    'server/_appkit/functions/a+api.js.map',
    'server/_appkit/functions/b+api.js.map',
    'server/node_modules/@scope/one/index.js',
    'server/node_modules/@scope/one/lib/index.js',
    'server/node_modules/two/index.js',
  ];
  const isLoaded = (path: string): boolean => path.startsWith('client/');
  const table = formatExport(paths.map((path) => ({ path, bytes: 600, ...(isLoaded(path) && { gzipBytes: 300 }) })));
  expect(table.split('\n').slice(1)).toEqual([
    'client/index.html                   600 B  300 B',
    'server/_appkit/chunks/             1.2 kB',
    'server/_appkit/functions/a+api.js   600 B',
    'server/node_modules/@scope/one/    1.2 kB',
    'server/node_modules/two/            600 B',
    'source maps                        1.8 kB',
  ]);
});

it('lists the largest of very many files, sorted by path, and sums up the rest', () => {
  const files = Array.from({ length: 50 }, (_, index) => ({
    path: `client/${100 + index}`,
    bytes: index,
    gzipBytes: 1,
  }));
  const rows = formatExport(files).split('\n').slice(1);
  expect(rows).toHaveLength(41);
  expect(rows[0]).toBe('client/110       10 B   1 B');
  expect(rows.at(-2)).toBe('client/149       49 B   1 B');
  expect(rows.at(-1)).toBe('10 smaller ones  45 B  10 B');
});
