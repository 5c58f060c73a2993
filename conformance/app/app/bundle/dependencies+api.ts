import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import cjsWords, { shout } from 'conformance-cjs-words';
import { greet } from 'conformance-esm-words';

enum Mood {
  Calm = 'calm',
}

/** Every kind of module a route may need. */
export async function GET(): Promise<Response> {
  const { later } = await import('../../lib/later.ts');
  const self = fileURLToPath(import.meta.url);
  return Response.json({
    esm: greet('route'),
    cjs: [shout('route'), typeof cjsWords],
    dynamic: later(),
    builtin: basename('/a/b.txt'),
    file: basename(self),
    readable: (await readFile(self, 'utf8')).length > 0,
    required: typeof createRequire(import.meta.url)('node:os').cpus,
    mood: Mood.Calm,
  });
}
