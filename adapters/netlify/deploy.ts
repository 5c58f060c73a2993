import type { DeployHost } from '../_deploy/deploy-host.ts';

/** `netlify build` runs the command of `netlify.toml` and bundles the function; `netlify deploy` uploads both. */
export const deployment: DeployHost = {
  title: 'Netlify',
  configFile: 'netlify.toml',
  tool: {
    name: 'netlify',
    package: 'netlify-cli',
    version: '27.10.2',
    login: 'netlify login',
    token: 'NETLIFY_AUTH_TOKEN',
    notLoggedIn: /Authentication required|Not logged in/,
  },
  exports: 'in build',
  build: ({ prod, dryRun }) => [
    'build',
    '--context',
    prod ? 'production' : 'deploy-preview',
    ...(dryRun ? ['--offline'] : []),
  ],
  upload: ({ prod, dryRun }) => (dryRun ? undefined : ['deploy', '--no-build', ...(prod ? ['--prod'] : [])]),
  // For a deployment to production, this prints the production URL first, then the URL of this deployment only.
  findUrl: (stdout) => /(?:production|draft) URL:\s*<?(https:\/\/[^\s<>]+)/i.exec(stdout)?.[1],
};
