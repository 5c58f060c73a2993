import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as vite from 'vite';

import { parseJson } from '../packages/parse-json.ts';
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
  // Nothing can be resolved from there then, whatever is installed.
  if (!isManifestValid(projectRoot))
    return [{ file: 'package.json', message: 'This is not JSON.', fix: 'Correct the syntax.' }];
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

function isManifestValid(projectRoot: string): boolean {
  const file = path.join(projectRoot, 'package.json');
  if (!existsSync(file)) return true;
  const text = readFileSync(file, 'utf8');
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
