import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';

const root = path.join(import.meta.dirname, '..');

/** The files in a page of the guide: code blocks that begin with a file name, such as `// app/token+api.ts`. */
export function filesIn(page: string): Map<string, string> {
  const text = readFileSync(path.join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return new Map(blocks.map((code) => [/^\/\/ (\S+\.tsx?)\n/.exec(code)?.[1] ?? '', code]));
}

/** Writes files into a folder that is removed after the test, and returns its path. */
export function writeSamples(files: Map<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'appkit-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, code] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), code);
  }
  return folder;
}

/**
 * Bundles a file with all its imports: packages are those of this repository, as installed in an app.
 *
 * @param replace – placeholder texts of the samples, and their values in the test.
 */
export async function bundleSamples(
  files: Map<string, string>,
  entry: string,
  { platform, replace }: { platform: 'browser' | 'node'; replace: Record<string, string> },
): Promise<string> {
  const replaced = new Map(
    [...files].map(([name, code]) => [
      name,
      Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, to), code),
    ]),
  );
  const folder = writeSamples(replaced);
  const bundle = await rolldown({
    input: path.join(folder, entry),
    platform,
    transform: { define: platform === 'browser' ? { 'process.env.NODE_ENV': '"development"' } : {} },
    plugins: [
      {
        name: 'as in an app',
        async resolveId(id, importer) {
          if (!importer?.startsWith(folder) || /^(\.|\/|node:)/.test(id)) return null;
          return this.resolve(id, path.join(root, 'auth/session/sample.ts'));
        },
      },
    ],
  });
  const format = platform === 'browser' ? 'iife' : 'esm';
  const { output } = await bundle.generate({ format, codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** Bundles a file for Node and returns its exports. */
export async function importSample<T>(
  files: Map<string, string>,
  entry: string,
  replace: Record<string, string>,
): Promise<T> {
  const code = await bundleSamples(files, entry, { platform: 'node', replace });
  const folder = writeSamples(new Map([['sample.mjs', code]]));
  return import(path.join(folder, 'sample.mjs')) as Promise<T>;
}
