import type { DeployHost } from '../_deploy/deploy-host.ts';

/** Wrangler bundles and uploads at once. A deployment goes to production; a version is next to it, at its own URL. */
export const deployment: DeployHost = {
  title: 'Cloudflare',
  configFile: 'wrangler.jsonc',
  tool: {
    name: 'wrangler',
    package: 'wrangler',
    version: '4.164.0',
    login: 'wrangler login',
    token: 'CLOUDFLARE_API_TOKEN',
    notLoggedIn: /CLOUDFLARE_API_TOKEN environment variable|not logged in/i,
  },
  exports: 'before',
  upload: ({ versioned, dryRun }) => [
    ...(versioned ? ['versions', 'upload'] : ['deploy']),
    ...(dryRun ? ['--dry-run'] : []),
  ],
  // Below "Deployed … triggers", each on its own line. A domain is printed without its scheme.
  findUrl(stdout) {
    const [, version] = /^Version Preview URL:\s*(https:\/\/\S+)/m.exec(stdout) ?? [];
    if (version !== undefined) return version;
    const [, place] = /^Deployed .*\n\s+(?:https:\/\/)?([\w.-]+\.[\w-]+(?:\/\S*)?)/m.exec(stdout) ?? [];
    return place && `https://${place}`;
  },
};
