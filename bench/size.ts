import { sizeOf } from '../tools/size-of.ts';
import { atMost, toTable } from './section.ts';
import type { Section } from './section.ts';

const KIB = 1024;
const hosts = ['node', 'express', 'bun', 'deno', 'vercel', 'netlify', 'cloudflare', 'aws-lambda'];

/** What an adapter and the runtime below it weigh. */
export async function measureSize(): Promise<Section> {
  const sizes = await Promise.all(
    hosts.map(async (host) => ({ host, size: await sizeOf(`adapters/${host}/index.ts`, { platform: 'node' }) })),
  );
  const text = `Minified and gzipped, with the runtime.

${toTable(
  ['adapter', 'bytes'],
  sizes.map(({ host, size }) => [host, size.toLocaleString('en-US')]),
)}`;
  const goals = sizes.map(({ host, size }) =>
    atMost(`size, ${host}`, size / KIB, { limit: host === 'node' ? 8 : 6, unit: ' KB' }),
  );
  return { title: 'Size', text, goals };
}
