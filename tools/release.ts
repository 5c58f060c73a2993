/**
 * `npm run release`: publishes each package whose version is not published, with provenance: npm signs from which commit and by
 * which workflow it was built. So it works in the workflow only.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { assertPublishable } from './publishable.ts';
import { repositoryUrl } from './repository.ts';

assertPublishable(repositoryUrl());
const { status, error } = spawnSync('changeset', ['publish'], {
  cwd: path.resolve(import.meta.dirname, '..'),
  env: { ...process.env, NPM_CONFIG_PROVENANCE: 'true' },
  // The action reads which tags there are from what is printed.
  stdio: 'inherit',
});
if (error) throw error;
process.exitCode = status ?? 1;
