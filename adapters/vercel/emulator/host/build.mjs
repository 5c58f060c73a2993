// `vercel build`, as it runs on Vercel, without an account: .vercel/project.json stands for the linked project.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Vercel refuses an output directory without a file, which an app of routes only has.
if (readdirSync('dist/client').length === 0) writeFileSync('dist/client/favicon.ico', '');

const PATH = [join(import.meta.dirname, 'bin'), process.env.PATH].join(delimiter);
execFileSync('vercel', ['build', '--yes', '--global-config', '.vercel/global-config'], {
  env: { ...process.env, PATH },
  stdio: 'inherit',
});
