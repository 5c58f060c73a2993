import path from 'node:path';

/**
 * An installed package's need for another, with the name it imports it by. Packages are identified by their folders.
 */
export interface PackageNeed {
  /** The folder of the importing package. */
  from: string;
  name: string;
  /** The folder of the package that it gets. */
  to: string;
}

/**
 * Arranges installed packages below one `node_modules` so that each finds the same dependencies as where it was
 * installed, whatever that layout was: hoisted, nested, linked into a store. A package goes to the top, unless another
 * one of the same name is already there; then it goes below the package that needs it.
 *
 * @param root – the folder that represents the server build, which needs the packages at the top.
 * @returns for each place below `node_modules`, the folder of the package to copy there. A package that is needed in
 * several places appears several times.
 */
export function placePackages(root: string, needs: readonly PackageNeed[]): Map<string, string> {
  const places = new Map<string, string>();
  const queue: { folder: string; place: string }[] = [{ folder: root, place: '' }];
  for (const { folder, place } of queue) {
    for (const { name, to } of needs.filter((need) => need.from === folder)) {
      const candidates = toLookups(place).map((parent) => path.posix.join(parent, name));
      const found = candidates.find((candidate) => places.has(candidate));
      if (found !== undefined && places.get(found) === to) continue;
      const target = found === undefined ? name : candidates[0];
      if (target === undefined || places.has(target)) continue;
      places.set(target, to);
      queue.push({ folder: to, place: target });
    }
  }
  return places;
}

/** The folders in which Node looks for the dependencies of the package at a place, nearest first. */
function toLookups(place: string): string[] {
  if (place === '') return [''];
  const parents = place.split('/node_modules/');
  return [
    ...parents.map((_, index) => `${parents.slice(0, parents.length - index).join('/node_modules/')}/node_modules`),
    '',
  ];
}
