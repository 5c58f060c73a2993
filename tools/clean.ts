/** `npm run clean`: removes what the build writes. */
import { glob, rm } from 'node:fs/promises';

for (const folder of ['runtime/templates', 'cli/appkit/templates']) await rm(folder, { recursive: true, force: true });
for (const folder of [
  'runtime',
  'build',
  'cli/uri-scheme',
  'cli/appkit',
  'auth/crypto',
  'auth/web-browser',
  'auth/session',
  'router',
]) {
  await rm(`${folder}/lib`, { recursive: true, force: true });
  for await (const file of glob(`${folder}/*.tsbuildinfo`)) await rm(file);
}
