import path from 'node:path';

import type { Plugin } from 'rolldown';

import { toProjectPath } from '../app/project-path.ts';
import { isFile } from '../output/is-file.ts';
import { findPackageOf, isInstalled } from './package-of.ts';

const TEXTS = String.raw`(?:"[^"\n]*"|'[^'\n]*')`;
const FOLDER = String.raw`(?:__dirname|import\.meta\.dirname)`;
/** How code names a file next to itself, with the path as text literals. */
const NAMES = [
  String.raw`\b(?:join|resolve)\)?\(\s*${FOLDER}\s*,\s*(${TEXTS}(?:\s*,\s*${TEXTS})*)\s*\)`,
  String.raw`\b${FOLDER}\s*\+\s*(${TEXTS})`,
  String.raw`\x60\$\{${FOLDER}\}(/[^\x60$\n]*)\x60`,
  String.raw`\bnew\s+URL\(\s*(${TEXTS})\s*,\s*import\.meta\.url\s*\)`,
].map((source) => new RegExp(source, 'g'));
const CREATE_REQUIRE = /([\w$]+)\s*=\s*(?:[\w$]+\.)?createRequire\(\s*(?:import\.meta\.url|__filename)/g;
const HINT = /\b__dirname\b|\bimport\.meta\.(?:url|dirname)\b/;

/** Collects the packages whose code names files of their own that a bundle does not contain. */
export interface LostPackageFiles {
  plugin: Plugin;
  /** A warning for each such package of which a module is in the bundle, by package. */
  warn(moduleIds: readonly string[]): [name: string, warning: string][];
}

/** Looks for such packages while the bundler runs. */
export function findLostPackageFiles(): LostPackageFiles {
  const found = new Map<string, string>();
  return {
    plugin: {
      name: 'appkit:lost-package-files',
      transform: {
        filter: { id: /[\\/]node_modules[\\/].*\.[cm]?js$/, code: HINT },
        handler(code, id) {
          const file = findFile(code, path.dirname(id));
          if (file !== undefined) found.set(id, file);
        },
      },
    },
    warn(moduleIds) {
      const files = new Map<string, string>();
      for (const id of moduleIds.filter(isInstalled)) {
        const file = found.get(id);
        const owner = file === undefined ? undefined : findPackageOf(id);
        if (file !== undefined && owner && !files.has(owner.name))
          files.set(owner.name, toProjectPath(owner.root, file));
      }
      return [...files].map(([name, file]) => [
        name,
        `${name} needs its file ${file} at run time, which no bundle contains. Add ${name} to external of appkit-router.`,
      ]);
    },
  };
}

/** The first file that code names and that exists. */
function findFile(code: string, folder: string): string | undefined {
  for (const pattern of NAMES) {
    for (const [, texts = ''] of code.matchAll(pattern)) {
      const parts = [...texts.matchAll(/["']([^"'\n]*)["']/g)].map(([, text = '']) => text);
      // A template has no quotes around its text.
      const file = path.join(folder, ...(texts.startsWith('/') ? [texts] : parts));
      if (isFile(file)) return file;
    }
  }
  for (const [, name = ''] of code.matchAll(CREATE_REQUIRE)) {
    const call = new RegExp(
      String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}\(\s*["'](\.[^"'\n]*|#[^"'\n]*)["']`,
    ).exec(code);
    const target = call?.[1];
    if (target !== undefined) return path.join(folder, target);
  }
  return undefined;
}
