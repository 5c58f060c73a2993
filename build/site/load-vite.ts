import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as vite from 'vite';

import type { Problem } from '../problem.ts';

/** Vite, as it is imported. */
export type Vite = typeof vite;

/** The packages that a site is built with. Server code alone needs none of them. */
const NEEDED = ['appkit-router', 'react', 'react-dom', 'vite'];

/** Loads the project's Vite: {@link findMissingForSite} tells whether it is installed. */
export async function loadVite(projectRoot: string): Promise<Vite> {
  const { resolve } = createRequire(path.join(projectRoot, 'package.json'));
  return (await import(pathToFileURL(resolve('vite')).href)) as Vite;
}

/** Names the packages that the project's pages need and that are not installed. */
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
    // By its manifest: the main entry of a package for bundlers may not load in Node.
    return resolve(`${name}/package.json`) !== '';
  } catch {
    return false;
  }
}
