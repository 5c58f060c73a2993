import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGES } from '../pack.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * What apps do not import: what one of our packages imports from another, and what conformance/fixture.md describes.
 */
const OURS = ['appkit-cli/sources', 'appkit-conformance/fixture', 'appkit-conformance/fixture.json'];

/** Finds the packages that export something but have no page in the API. */
export function findMissingApiPages(pathnames: readonly string[]): string[] {
  return PACKAGES.flatMap((folder) => {
    const text = readFileSync(path.join(root, folder, 'package.json'), 'utf8');
    const { name, exports } = JSON.parse(text) as { name: string; exports: Record<string, unknown> }; // npm has packed it
    // A package with only a CLI has nothing to import. A program that another package runs is not imported by apps.
    const isImported = Object.keys(exports).some(
      (key) => key !== './package.json' && !key.startsWith('./bin/') && !OURS.includes(path.posix.join(name, key)),
    );
    return isImported && !pathnames.includes(`/api/${name}`) ? [name] : [];
  });
}
