import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Plugin } from 'rolldown';

import { findPackageOf } from './package-of.ts';
import { parseJson } from './parse-json.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';

/** How a bundle imports a module of an external package. */
export interface ExternalUse {
  specifier: string;
  /** `import()` stays unchanged; everything else becomes `require`. The two may resolve to different files. */
  kind: 'import' | 'require';
}

/** Marks the module between an `import` and an external ES module. */
const WRAPPED = '\0external:';

/** Keeps the packages of the plugin option `external` out of a bundle, and reports how they are used. */
export function createExternalPlugin(
  packages: readonly string[],
  {
    projectRoot,
    onUse,
    report,
  }: {
    projectRoot: string;
    /** Called with each use and the importing module. */
    onUse: (use: ExternalUse, importer: string) => void;
    report: (problem: Problem) => void;
  },
): Plugin[] {
  if (packages.length === 0) return [];
  const names = packages.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|');
  return [
    {
      name: 'appkit:external',
      resolveId: {
        filter: { id: new RegExp(`^(?:${names})(?:/|$)`) },
        handler(id, importer, { kind }) {
          if (importer === undefined || importer.startsWith(WRAPPED)) return { id, external: true };
          onUse({ specifier: id, kind: kind === 'dynamic-import' ? 'import' : 'require' }, importer);
          const resolved = resolveFrom(projectRoot, id);
          if (resolved && importer) reportOtherVersion(id, { importer, resolved, projectRoot, report });
          // A bundle that loads an ES module with `require` and comes from a `"type": "module"` folder would treat the
          // entire namespace as its default export, as Node does for CommonJS. Re-exporting keeps the two apart.
          const wrap = kind === 'import-statement' && resolved !== undefined && isEsModule(resolved);
          return wrap ? { id: WRAPPED + id } : { id, external: true };
        },
      },
      load: {
        filter: { id: new RegExp(`^${WRAPPED}`) },
        handler(id) {
          const specifier = JSON.stringify(id.slice(WRAPPED.length));
          return { code: `export * from ${specifier}; export { default } from ${specifier};`, moduleType: 'js' };
        },
      },
    },
  ];
}

/** Finds the packages of the option `external` that are not installed. */
export function findMissingPackages(
  packages: readonly string[],
  { projectRoot, file }: { projectRoot: string; file: string },
): Problem[] {
  const folders = createRequire(path.join(projectRoot, 'index.js')).resolve.paths('x') ?? [];
  return packages
    .filter((name) => !isHostModule(name) && !folders.some((folder) => existsSync(path.join(folder, name))))
    .map((name) => ({
      file,
      message: `The option external of appkit-router names ${name}, which is not installed.`,
      fix: `Install it, or remove it from the list.`,
    }));
}

/** Built-in modules of a host, such as `bun`, `bun:sqlite` and `cloudflare:sockets`: there is nothing to copy. */
export function isHostModule(specifier: string): boolean {
  return specifier === 'bun' || specifier.includes(':');
}

function reportOtherVersion(
  specifier: string,
  {
    importer,
    resolved,
    projectRoot,
    report,
  }: {
    importer: string;
    resolved: string;
    projectRoot: string;
    report: (problem: Problem) => void;
  },
): void {
  const own = resolveFrom(path.dirname(importer), specifier);
  if (own === undefined || own === resolved) return;
  report({
    file: toProjectPath(projectRoot, importer),
    message: `It uses a different copy of ${specifier} than the project: ${toProjectPath(projectRoot, own)}.`,
    fix: 'An external package exists once in a server build: install the same version for both.',
  });
}

function resolveFrom(folder: string, specifier: string): string | undefined {
  try {
    return createRequire(path.join(folder, 'index.js')).resolve(specifier);
  } catch {
    // Specifiers that cannot be required are reported when their files are traced.
    return undefined;
  }
}

function isEsModule(file: string): boolean {
  if (!file.endsWith('.js')) return file.endsWith('.mjs');
  const owner = findPackageOf(file);
  if (!owner) return false;
  const manifest = parseJson(readFileSync(path.join(owner.root, 'package.json'), 'utf8'));
  const { type } = manifest as { type?: unknown };
  return type === 'module';
}
