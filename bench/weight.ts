import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { runCommand } from '../tools/run-command.ts';
import type { Contestant } from './http/contestants.ts';
import { findDeno } from './prepare.ts';
import { atMost, toTable } from './section.ts';
import type { Section } from './section.ts';
import { startServer } from './server-process.ts';

/** The codings that a browser and an old proxy accept. */
const CLIENTS = ['gzip, deflate, br, zstd', 'gzip'];

/** The transferred bytes of the full starter's home page, including everything its document names. */
export async function measureWeight(): Promise<Section> {
  const example = path.join(import.meta.dirname, '../examples/full');
  await runCommand(['appkit', 'export', '-p', 'web', example], { cwd: import.meta.dirname });
  const deno = await findDeno();
  const hosts: Contestant[] = [
    { name: 'node', command: [process.execPath, 'servers/appkit-files.mjs'] },
    { name: 'bun', command: ['bun', 'servers/appkit-files-bun.mjs'] },
    {
      name: 'deno',
      command: [deno, 'run', '--allow-net', '--allow-read', '--allow-env', 'servers/appkit-files-deno.mjs'],
    },
  ];
  const rows: { host: string; accept: string; files: number; bytes: number }[] = [];
  for (const host of hosts) {
    const server = await startServer(host, path.join(example, 'dist/server'));
    try {
      for (const accept of CLIENTS) rows.push({ host: host.name, accept, ...(await weigh(server.url, accept)) });
    } finally {
      await server.stop();
    }
  }
  const text = `The home page of examples/full: the document and the scripts, style sheets and images that it names, in bytes on the
connection without headers. Each host's template serves them. Vercel, Netlify and Cloudflare serve files themselves and
compress them as they choose.

${toTable(
  ['host', 'Accept-Encoding', 'files', 'bytes'],
  rows.map(({ host, accept, files, bytes }) => [host, accept, String(files), bytes.toLocaleString('en-US')]),
)}`;
  const goals = rows.map(({ host, accept, bytes }) =>
    atMost(`home page of examples/full on ${host}, ${accept}`, bytes / 1000, { limit: 110, unit: ' kB' }),
  );
  return { title: 'Weight of a page', text, goals };
}

async function weigh(url: string, accept: string): Promise<{ files: number; bytes: number }> {
  const page = await get(`${url}/`, accept);
  const document = decode(page).toString();
  const named = [...document.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|png|ico|woff2))"/g)];
  const urls = new Set(named.map(([, target]) => url + target));
  const files = await Promise.all([...urls].map((target) => get(target, accept)));
  if (files.length < 3) throw new Error(`The document of ${url} names only ${files.length} files.`);
  return { files: 1 + files.length, bytes: [page, ...files].reduce((sum, { body }) => sum + body.byteLength, 0) };
}

interface Answer {
  body: Buffer;
  coding: string | undefined;
}

// fetch() would decode it.
async function get(url: string, accept: string): Promise<Answer> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(url, { headers: { 'accept-encoding': accept } }, resolve).on('error', reject);
  });
  const body = await buffer(response);
  if (response.statusCode !== 200) throw new Error(`${url} was answered ${response.statusCode}.`);
  return { body, coding: response.headers['content-encoding'] };
}

function decode({ body, coding }: Answer): Buffer {
  if (coding === 'br') return brotliDecompressSync(body);
  if (coding === 'zstd') return zstdDecompressSync(body);
  return coding === 'gzip' ? gunzipSync(body) : body;
}
