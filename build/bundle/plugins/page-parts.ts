import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

import type { Plugin } from 'rolldown';
import { parseSync } from 'rolldown/utils';

import type { ServerFile } from '../../app/scan.ts';
import { removeExports } from '../../secrets/remove-exports.ts';

/** A page or a layout of which only the code for the server is bundled. */
export interface PagePart extends ServerFile {
  /** The exports that stay. */
  kept: readonly string[];
}

/** How the app's Vite configuration resolves what the bundler cannot: to a file. */
export type Resolve = (specifier: string, importer: string) => Promise<string | undefined>;

const STYLES = /\.(?:css|less|pcss|postcss|sass|scss|styl|stylus|sss)(?:\?|$)/;
const NO_STYLES = '\0appkit-no-styles';

/**
 * Bundles the loaders and actions of pages without their components: only the exports that stay, with what these need.
 * Style sheets that are left are empty.
 */
export function createPagePartsPlugin(
  parts: readonly PagePart[],
  { projectRoot, resolve }: { projectRoot: string; resolve: Resolve | undefined },
): Plugin | undefined {
  if (parts.length === 0) return undefined;
  const kept = new Map(parts.map((part) => [realpathSync(path.join(projectRoot, part.file)), part.kept]));
  return {
    name: 'appkit:page-parts',
    async resolveId(specifier, importer, { kind }) {
      if (importer === undefined || kind === 'new-url') return null;
      if (STYLES.test(specifier)) return NO_STYLES;
      if (!resolve || importer.includes('node_modules') || /^[./\0]/.test(specifier)) return null;
      const found = await this.resolve(specifier, importer, { skipSelf: true });
      return found ?? (await resolve(specifier, importer)) ?? null;
    },
    load(id) {
      if (id === NO_STYLES) return { code: 'module.exports = {};', moduleType: 'js' };
      const names = kept.get(id);
      return names ? keepExports(readFileSync(id, 'utf8'), { file: id, kept: names }) : null;
    },
  };
}

/** The source without its other exports. `null` when it cannot be parsed: the bundler says why. */
function keepExports(source: string, { file, kept }: { file: string; kept: readonly string[] }): string | null {
  const names = parseSync(file, source).module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName: { kind, name } }) => (kind === 'Default' ? ['default'] : (name ?? []))),
  );
  return removeExports(source, { file, names: names.filter((name) => !kept.includes(name)) })?.code ?? null;
}
