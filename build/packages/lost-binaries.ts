import { findPackageOf, isInstalled } from './package-of.ts';
import { findPlatformPackages } from './platform-packages.ts';

/** Warnings of bundled packages whose binaries are missing from the export, by package. Some of them have a slower fallback. */
export function findLostBinaries(moduleIds: readonly string[]): [name: string, warning: string][] {
  const owners = moduleIds.filter(isInstalled).map((id) => findPackageOf(id));
  const roots = new Map(owners.flatMap((owner) => (owner ? [[owner.root, owner.name]] : [])));
  return [...roots].flatMap(([root, name]) => {
    const lost = findPlatformPackages(root).filter((platform) => !roots.has(platform.root));
    if (lost.length === 0) return [];
    const names = lost.map((platform) => platform.name).join(', ');
    const warning = `${name} loads ${names} at run time, which no bundle can contain. Add ${name} to external of appkit-router.`;
    return [[name, warning]];
  });
}
