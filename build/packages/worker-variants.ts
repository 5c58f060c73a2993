import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { findPackageOf, isInstalled } from './package-of.ts';
import { parseJson } from './parse-json.ts';

const WRANGLER_CONFIGS = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * Warnings of bundled packages that have another file for Cloudflare Workers, by package. A bundle contains the files that Node takes, of
 * which some do nothing in a Worker. None in an app without a config of wrangler, nor of a package with a file for Node itself, which
 * Workers run too.
 */
export function findWorkerVariants(
  moduleIds: readonly string[],
  { projectRoot }: { projectRoot: string },
): [name: string, warning: string][] {
  if (!WRANGLER_CONFIGS.some((name) => existsSync(path.join(projectRoot, name)))) return [];
  const variants = new Map<string, ReadonlyMap<string, string>>();
  return moduleIds.filter(isInstalled).flatMap((id): [string, string][] => {
    const owner = findPackageOf(id);
    if (!owner) return [];
    const { name, root } = owner;
    if (!variants.has(root)) variants.set(root, readVariants(root));
    const file = path.relative(root, id).replaceAll(path.sep, '/');
    const variant = variants.get(root)?.get(file);
    if (variant === undefined) return [];
    const other = `${name} has another file for Cloudflare Workers: ${variant} instead of ${file}.`;
    return [[name, `${other} Add ${name} to external of appkit-router, and wrangler takes it.`]];
  });
}

/** For each file of a package in whose place a Worker has another one, that one. */
function readVariants(root: string): ReadonlyMap<string, string> {
  const manifest = path.join(root, 'package.json');
  const found = new Map<string, string>();
  if (!existsSync(manifest)) return found;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { workerd, worker, ...others } = value as Record<string, unknown>;
    const ofWorkers = listFiles(workerd ?? worker);
    const [variant] = ofWorkers;
    if (variant !== undefined && !('node' in others)) {
      for (const file of listFiles(others)) if (!ofWorkers.includes(file)) found.set(file, variant);
    }
    Object.values(value).forEach(visit);
  };
  visit((parseJson(readFileSync(manifest, 'utf8')) as { exports?: unknown }).exports);
  return found;
}

/** The files in a part of `exports`, whatever their conditions. */
function listFiles(value: unknown): string[] {
  if (typeof value === 'string') return [path.posix.normalize(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listFiles) : [];
}
