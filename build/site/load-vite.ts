import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as vite from 'vite';

import type { Problem } from '../problem.ts';

/** Vite, as it is imported. */
export type Vite = typeof vite;

/** What a site is made with. Server code alone needs none of them. */
const NEEDED = ['appkit-router', 'react', 'react-dom', 'vite'];

/** Loads the Vite that the project has: {@link findMissingForSite} tells whether there is one. */
export async function loadVite(projectRoot: string): Promise<Vite> {
  const { resolve } = createRequire(path.join(projectRoot, 'package.json'));
  return (await import(pathToFileURL(resolve('vite')).href)) as Vite;
}

/** Names what the pages of a project need and is not installed. */
export function findMissingForSite(projectRoot: string): Problem[] {
  const { resolve } = createRequire(path.join(projectRoot, 'package.json'));
  const missing = NEEDED.filter((name) => !canResolve(resolve, name));
  if (missing.length === 0) return [];
  return [
    {
      file: 'package.json',
      message: `A site needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not installed.`,
      fix: `Run npm install ${missing.join(' ')}, or export with --no-ssg for server code only.`,
    },
  ];
}

function canResolve(resolve: NodeJS.RequireResolve, name: string): boolean {
  try {
    // By its manifest: the main entry of a package for bundlers may be one that Node cannot load.
    return resolve(`${name}/package.json`) !== '';
  } catch {
    return false;
  }
}
