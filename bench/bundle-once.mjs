// One run of the bundler over all routes of an app, as the export's time is compared with.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

const folder = path.join(process.argv[2], 'app');
const input = (await readdir(folder)).map((name) => path.join(folder, name));
const build = await rolldown({ input, platform: 'node', transform: { target: 'node20.19' } });
await build.write({
  dir: path.join(folder, '../out'),
  format: 'cjs',
  sourcemap: 'hidden',
  minify: true,
  keepNames: true,
});
await build.close();
