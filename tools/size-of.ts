import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const root = path.join(import.meta.dirname, '..');

/** What to measure. */
export interface Measured {
  platform: 'node' | 'browser';
  /** The names to import. Default: everything. */
  names?: readonly string[];
  /** Packages that are not counted, in addition to React, which an app has anyway. */
  without?: readonly string[];
}

/**
 * The minified and gzipped size in bytes of an import with its dependencies. Dynamic imports, which are loaded when
 * needed, are not counted.
 */
export async function sizeOf(file: string, { platform, names, without = [] }: Measured): Promise<number> {
  const entry = `export ${names ? `{ ${names.join(', ')} }` : '*'} from ${JSON.stringify(path.join(root, file))};`;
  const bundle = await rolldown({
    input: 'entry',
    external: [/^(?:node|cloudflare):/, 'react', ...without],
    platform,
    plugins: [
      {
        name: 'entry',
        resolveId(id, _, { kind }) {
          if (kind === 'dynamic-import') return { id, external: true };
          return id === 'entry' ? id : null;
        },
        load: (id) => (id === 'entry' ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return gzipSync(output[0].code).byteLength;
}
