import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');

/** Minified and gzipped size in bytes of what `import … from` the file brings along. */
async function sizeOf(file: string): Promise<number> {
  const bundle = await rolldown({ input: path.join(root, file), external: /^(?:node|cloudflare):/, platform: 'node' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return gzipSync(output[0].code).byteLength;
}

// Raising a number is a decision: say in the commit what it buys.
describe('the minified and gzipped size, in bytes, stays under its limit', () => {
  const limits: [file: string, limit: number][] = [
    ['adapters/node/index.ts', 9100],
    ['adapters/express/index.ts', 9400],
    ['adapters/bun/index.ts', 7500],
    ['adapters/deno/index.ts', 7500],
    ['adapters/vercel/index.ts', 9500],
    ['adapters/netlify/index.ts', 7100],
    ['adapters/cloudflare/index.ts', 7400],
    ['adapters/aws-lambda/index.ts', 9050],
    ['runtime/index.ts', 1800],
  ];
  for (const [file, limit] of limits) {
    it(`of ${file}: ${limit}`, async () => {
      expect(await sizeOf(file)).toBeLessThan(limit);
    });
  }
});
