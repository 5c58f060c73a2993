/** `npm run clean`: removes what the build writes. */
import { glob, rm } from 'node:fs/promises';
import { PACKAGES } from './pack.ts';

for (const folder of ['runtime/templates', 'cli/appkit/templates']) await rm(folder, { recursive: true, force: true });
for (const folder of PACKAGES) {
  await rm(`${folder}/lib`, { recursive: true, force: true });
  for await (const file of glob(`${folder}/*.tsbuildinfo`)) await rm(file);
}
