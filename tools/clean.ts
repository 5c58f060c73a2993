/** `npm run clean`: removes what the build writes. */
import { glob, rm } from 'node:fs/promises';

await rm('runtime/templates', { recursive: true, force: true });
for (const folder of ['runtime', 'build', 'cli/appkit']) {
  await rm(`${folder}/lib`, { recursive: true, force: true });
  for await (const file of glob(`${folder}/*.tsbuildinfo`)) await rm(file);
}
