// The bundler alone over all routes of an app, as a baseline for the time of an export. `shared`: one run, with chunks
// that routes share. `ordered`: the same, with modules executed in the standard's order, as in an export. `alone`: one
// self-contained file per route.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

const [root, mode] = process.argv.slice(2);
const files = (await readdir(path.join(root, 'app'))).map((name) => path.join(root, 'app', name));
const queue = (mode === 'alone' ? files : [files]).values();

// As many at a time as appkit-build.
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (const input of queue) {
      const build = await rolldown({ input, platform: 'node', transform: { target: 'node20.19' } });
      await build.write({
        dir: path.join(root, 'out', mode),
        format: 'cjs',
        codeSplitting: mode !== 'alone',
        strictExecutionOrder: mode === 'ordered',
        sourcemap: 'hidden',
        sourcemapExcludeSources: true,
        minify: true,
        keepNames: true,
      });
      await build.close();
    }
  }),
);
