import { listHosts, readSizeGoals } from '../tools/adapters.ts';
import { sizeOf } from '../tools/size-of.ts';
import { atMost, toTable } from './section.ts';
import type { Section } from './section.ts';

const KIB = 1024;

/** What an adapter and the runtime below it weigh. */
export async function measureSize(): Promise<Section> {
  const sizes = await Promise.all(
    listHosts().map(async (host) => ({ host, size: await sizeOf(`adapters/${host}/index.ts`, { platform: 'node' }) })),
  );
  const text = `Minified and gzipped, with the runtime.

${toTable(
  ['adapter', 'bytes'],
  sizes.map(({ host, size }) => [host, size.toLocaleString('en-US')]),
)}`;
  const goals = sizes.map(({ host, size }) =>
    atMost(`size, ${host}`, size / KIB, { limit: readSizeGoals(host).goal / KIB, unit: ' KB' }),
  );
  return { title: 'Size', text, goals };
}
