import type { Plugin } from 'vite';

import { createExternalPlugin } from '../packages/external-packages.ts';
import { createJobNamesPlugin } from '../bundle/plugins/job-names.ts';
import type { SiteBundleOptions } from './site-bundles.ts';

/** Makes the plugins of the code that renders pages which decide what its imports mean. */
export function createServerPlugins(
  { projectRoot, external, jobs }: Pick<SiteBundleOptions, 'projectRoot' | 'external' | 'jobs'>,
  { onUse, report }: Pick<Parameters<typeof createExternalPlugin>[1], 'onUse' | 'report'>,
): Plugin[] {
  const outside = createExternalPlugin(external, { projectRoot, onUse, report }) as Plugin[];
  return [
    ...outside.map((plugin) => forServer({ ...plugin, enforce: 'pre' })),
    forServer(createJobNamesPlugin(projectRoot, () => jobs) as Plugin),
  ];
}

/** Leaves a plugin out of the client. */
export function forServer(plugin: Plugin): Plugin {
  return { ...plugin, applyToEnvironment: ({ config }) => config.consumer === 'server' };
}
