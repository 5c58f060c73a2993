import path from 'node:path';

import type { Plugin } from 'rolldown';
import { ResolverFactory } from 'rolldown/experimental';

/** As wrangler resolves what an export leaves outside. */
const CONDITIONS = ['workerd', 'worker', 'browser'];
const MAIN_FIELDS = ['browser', 'module', 'main'];

/**
 * Bundles packages of the option `external`, and what they import, with the files that wrangler would take: workerd has no packages, so
 * none can stay outside of a bundle that it runs in development.
 */
export function createWorkerPackagesPlugin(packages: readonly string[], projectRoot: string): Plugin[] {
  if (packages.length === 0) return [];
  const resolverOf = (condition: string): ResolverFactory =>
    new ResolverFactory({ conditionNames: [...CONDITIONS, condition], mainFields: MAIN_FIELDS });
  const [imports, requires] = [resolverOf('import'), resolverOf('require')];
  const bundled = new Set<string>();
  const isOf = (specifier: string): boolean =>
    packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return [
    {
      name: 'appkit:worker-packages',
      async resolveId(specifier, importer, { kind }) {
        if (importer === undefined || specifier.includes(':')) return null;
        const isInside = bundled.has(importer);
        if (!isInside && !isOf(specifier)) return null;
        const resolver = kind === 'require-call' ? requires : imports;
        // The project's own copy, as in an export.
        const { path: id } = await resolver.async(isInside ? path.dirname(importer) : projectRoot, specifier);
        if (id === undefined) return null;
        bundled.add(id);
        return id;
      },
    },
  ];
}
