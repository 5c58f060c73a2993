import type { DeployHost } from './deploy-host.ts';

/** Wrangler bundles and uploads at once. A Worker has one place, so that each deployment is to production. */
export const cloudflare: DeployHost = {
  title: 'Cloudflare',
  configFile: 'wrangler.jsonc',
  tool: {
    name: 'wrangler',
    package: 'wrangler',
    version: '4.153.0',
    login: 'wrangler login',
    token: 'CLOUDFLARE_API_TOKEN',
    notLoggedIn: /CLOUDFLARE_API_TOKEN environment variable|not logged in/i,
  },
  exports: 'before',
  upload: ({ dryRun }) => ['deploy', ...(dryRun ? ['--dry-run'] : [])],
  // Below "Deployed … triggers", each on a line of its own. A domain is named without its scheme.
  findUrl(stdout) {
    const [, place] = /^Deployed .*\n\s+(?:https:\/\/)?([\w.-]+\.[\w-]+(?:\/\S*)?)/m.exec(stdout) ?? [];
    return place && `https://${place}`;
  },
};
