import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Checks } from '../checks.ts';
import { runCommand } from '../run-command.ts';

/** A host's tool, as conformance installs it. */
export interface DeployTool {
  host: 'cloudflare' | 'netlify' | 'vercel';
  /** The folder of the adapter. */
  adapter: string;
  /** The environment with the tool on its PATH. */
  env: Record<string, string>;
}

/** The evidence that the real tool has done everything except the upload: what it writes, or prints. */
const SIGNS = {
  cloudflare: { folder: 'dist', has: ['client', 'server'], says: '--dry-run: exiting now' },
  netlify: { folder: '.netlify/functions', has: ['manifest.json', 'server.zip'], says: '' },
  vercel: { folder: '.vercel/output', has: ['config.json', 'functions', 'static'], says: '' },
} as const;

/** Deploys an app with the real tool, as far as that works without a network and without a login. */
export async function checkDryRun(checks: Checks, { host, adapter, env }: DeployTool, app: string): Promise<void> {
  const appkit = [process.execPath, path.join(app, '../../cli/appkit/bin/appkit.js')] as const;
  // A home folder without a login, whoever runs this.
  const alone = { ...env, HOME: path.join(app, '.home'), VERCEL_TOKEN: '', CLOUDFLARE_API_TOKEN: '', CI: '1' };
  const deploy = (...more: string[]): Promise<string> =>
    runCommand([...appkit, 'deploy', '--host', host, ...more], { cwd: app, env: alone });
  await checks.run(`appkit deploy --host ${host} --dry-run, with the real tool`, async () => {
    await runCommand([...appkit, 'init', '--host', host], { cwd: app });
    if (host === 'vercel')
      await cp(path.join(adapter, 'emulator/.vercel'), path.join(app, '.vercel'), { recursive: true });
    const { folder, has, says } = SIGNS[host];
    const printed = await deploy('--dry-run');
    assert.ok(printed.includes(says), printed);
    assert.match(printed, /^Not run: \w+ deploy/m);
    const names = await readdir(path.join(app, folder));
    assert.deepEqual(
      has.filter((name) => !names.includes(name)),
      [],
      `${folder} has ${names.join(', ')}`,
    );
  });
  // Netlify's tool reports this first if the folder has no project of its own.
  if (host === 'netlify') return;
  await checks.run(`appkit deploy --host ${host} says that nobody is logged in, with the real tool`, async () => {
    const failure = await deploy().then(
      (printed) => `It has not failed: ${printed}`,
      (error: Error) => error.message,
    );
    assert.match(failure, /error: Not logged in to \w+\.\n {2}Run npx \w+ login/);
  });
}
