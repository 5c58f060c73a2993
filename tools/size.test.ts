import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');

/** What is measured. */
interface Measured {
  platform: 'node' | 'browser';
  /** What is imported. Default: everything. */
  names?: readonly string[];
  /** Packages that are not counted, beside React, which an app has anyway. */
  without?: readonly string[];
}

/**
 * Minified and gzipped size in bytes of what an import brings along. What is imported dynamically, when it is needed, is
 * not counted.
 */
async function sizeOf(file: string, { platform, names, without = [] }: Measured): Promise<number> {
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

// Raising a number is a decision: say in the commit what it buys.
describe('the minified and gzipped size, in bytes, stays under its limit', () => {
  const limits: [file: string, limit: number][] = [
    ['adapters/node/index.ts', 9100],
    ['adapters/express/index.ts', 9500],
    ['adapters/bun/index.ts', 7500],
    ['adapters/deno/index.ts', 7500],
    ['adapters/vercel/index.ts', 9500],
    ['adapters/netlify/index.ts', 7600],
    ['adapters/cloudflare/index.ts', 7400],
    ['adapters/aws-lambda/index.ts', 9050],
    ['runtime/index.ts', 1800],
  ];
  for (const [file, limit] of limits) {
    it(`of ${file}: ${limit}`, async () => {
      expect(await sizeOf(file, { platform: 'node' })).toBeLessThan(limit);
    });
  }

  it('of useAuthRequest, with the popup: 9216', async () => {
    const measured = { platform: 'browser', names: ['useAuthRequest'] } as const;
    expect(await sizeOf('auth/session/index.ts', measured)).toBeLessThan(9216);
  });

  // 32 bytes more than 7 KiB, for a request of its own to each prompt.
  it('of a sign-in with a code, without hooks and popup: 7200', async () => {
    const names = ['AuthRequest', 'fetchDiscoveryAsync', 'exchangeCodeAsync', 'refreshAsync'];
    const measured = { platform: 'browser', names, without: ['appkit-web-browser'] } as const;
    expect(await sizeOf('auth/session/core.ts', measured)).toBeLessThan(7200);
  });
});
