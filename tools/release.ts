/**
 * `npm run release`: publishes each package whose version is not published yet, with provenance: npm signs which commit
 * and which workflow built it. So this works only in the workflow.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { assertPublishable } from './publishable.ts';
import { repositoryUrl } from './repository.ts';

assertPublishable(repositoryUrl());
const { status, error } = spawnSync('changeset', ['publish'], {
  cwd: path.resolve(import.meta.dirname, '..'),
  env: { ...process.env, NPM_CONFIG_PROVENANCE: 'true' },
  // The action reads the new tags from the output.
  stdio: 'inherit',
});
if (error) throw error;
process.exitCode = status ?? 1;
