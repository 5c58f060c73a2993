import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PACKAGES, packPackages } from '../pack.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');

type Manifest = { name: string; dependencies?: Record<string, string> };

/**
 * Packs our packages into `vendor/` of an app, and makes its `package.json` use those that it needs: npm does not find
 * them in its registry. The other packages, such as those for sign-in, are there for later use.
 */
export async function vendorPackages(project: string): Promise<void> {
  const vendor = path.join(project, 'vendor');
  await mkdir(vendor, { recursive: true });
  const files = new Map<string, string>();
  for (const [name, tarball] of Object.entries(await packPackages(vendor))) {
    const file = path.basename(tarball);
    if (path.dirname(tarball) !== vendor) await copyFile(tarball, path.join(vendor, file));
    files.set(name, `file:vendor/${file}`);
  }

  const manifestFile = path.join(project, 'package.json');
  const manifest = await readManifest(manifestFile);
  const needed = findNeeded(manifest, await readOurManifests());
  const ours = [...files].filter(([name]) => needed.has(name));
  const dependencies = Object.entries({ ...manifest.dependencies, ...Object.fromEntries(ours) });
  manifest.dependencies = Object.fromEntries(dependencies.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** The packages of ours that an app needs, and what those need in turn: npm would look for them in the registry. */
function findNeeded(app: Manifest, ours: ReadonlyMap<string, Manifest>): Set<string> {
  const needed = new Set<string>();
  const visit = ({ dependencies = {} }: Manifest): void => {
    for (const name of Object.keys(dependencies)) {
      const manifest = ours.get(name);
      if (!manifest || needed.has(name)) continue;
      needed.add(name);
      visit(manifest);
    }
  };
  visit(app);
  return needed;
}

async function readOurManifests(): Promise<Map<string, Manifest>> {
  const manifests = PACKAGES.map((folder) => readManifest(path.join(REPOSITORY, folder, 'package.json')));
  return new Map((await Promise.all(manifests)).map((manifest) => [manifest.name, manifest]));
}

async function readManifest(file: string): Promise<Manifest> {
  return JSON.parse(await readFile(file, 'utf8')) as Manifest; // one of our files, or one just written by `appkit init`
}
