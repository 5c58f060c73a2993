import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file that import.meta.url points to. */
export async function GET(): Promise<Response> {
  const self = fileURLToPath(import.meta.url);
  return Response.json({
    file: path.basename(self),
    readable: (await readFile(self, 'utf8')).length > 0,
    required: typeof createRequire(import.meta.url)('node:os').cpus,
  });
}
