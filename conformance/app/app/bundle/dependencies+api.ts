import path from 'node:path';
import cjsWords, { shout } from 'conformance-cjs-words';
import { greet } from 'conformance-esm-words';

enum Mood {
  Calm = 'calm',
}

/** Every kind of module a route may need. */
export async function GET(): Promise<Response> {
  const { later } = await import('../../lib/later.ts');
  return Response.json({
    esm: greet('route'),
    cjs: [shout('route'), typeof cjsWords],
    dynamic: later(),
    builtin: path.basename('/a/b.txt'),
    mood: Mood.Calm,
  });
}
