// `vercel build`, as it runs on Vercel, without an account: .vercel/project.json replaces the linked project.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const PATH = [path.join(import.meta.dirname, 'bin'), process.env.PATH].join(path.delimiter);
execFileSync('vercel', ['build', '--yes', '--global-config', '.vercel/global-config'], {
  env: { ...process.env, PATH },
  stdio: 'inherit',
});
