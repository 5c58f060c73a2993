import type { DeployHost } from '../_deploy/deploy-host.ts';

/** `vercel build` writes `.vercel/output`, which `vercel deploy --prebuilt` uploads. It prints only the URL to stdout. */
export const deployment: DeployHost = {
  title: 'Vercel',
  configFile: 'vercel.json',
  tool: {
    name: 'vercel',
    package: 'vercel',
    version: '64.0.2',
    login: 'vercel login',
    token: 'VERCEL_TOKEN',
    notLoggedIn: /No existing credentials found|The specified token is not valid|The token provided via/,
  },
  exports: 'in build',
  build: ({ prod }) => ['build', '--yes', ...(prod ? ['--prod'] : [])],
  upload: ({ prod, dryRun }) => (dryRun ? undefined : ['deploy', '--prebuilt', ...(prod ? ['--prod'] : [])]),
  findUrl: (stdout) => stdout.match(/https:\/\/[^\s"<>]+/g)?.at(-1),
};
