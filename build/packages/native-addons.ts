import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { Plugin } from 'rolldown';

import { findPackageOf, isInstalled } from './package-of.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';

/** Packages that only find a `.node` file next to their caller, by a path that bundlers cannot see. */
const LOADERS = /^(?:bindings|node-gyp-build|node-gyp-build-optional-packages|(?:@mapbox\/)?node-pre-gyp)$/;

/** A path from the code's own folder to an addon whose name is put together, by its platform for example. */
const COMPOSED =
  /\b(?:join|resolve)\)?\(\s*(?:__dirname|import\.meta\.dirname)\s*,([^;`]{0,200}?)`([^`$\n]{0,200})\$\{[^`\n]{0,200}\.node`/g;

/** Reports native addons that a bundle would need: machine code cannot be part of a JavaScript file. */
export function createNativeAddonPlugin(projectRoot: string, report: (problem: Problem) => void): Plugin {
  const addons: string[] = [];
  const reportUseIn = (file: string): void => {
    const owner = isInstalled(file) ? findPackageOf(file) : undefined;
    report({
      file: toProjectPath(projectRoot, file),
      message: owner
        ? `The package ${owner.name} loads a native addon, which cannot be bundled.`
        : 'It loads a native addon, which cannot be bundled.',
      fix: owner
        ? `Add it to the router plugin in the app config: ["appkit-router", { "external": ["${owner.name}"] }].`
        : 'Move the addon into a package, and name the package in the option external of appkit-router.',
    });
  };
  return {
    name: 'appkit:native-addons',
    resolveId: {
      filter: { id: LOADERS },
      handler(_id, importer) {
        if (importer) reportUseIn(importer);
      },
    },
    load: {
      filter: { id: /\.node$/ },
      handler(id) {
        addons.push(id);
        return { code: 'module.exports = {};', moduleType: 'js' };
      },
    },
    transform: {
      filter: { id: /[\\/]node_modules[\\/].*\.[cm]?js$/, code: /\.node`/ },
      handler(code, id) {
        if (namesAddon(code, path.dirname(id))) reportUseIn(id);
      },
    },
    // Which packages need an addon is known only after every module has been read.
    buildEnd() {
      for (const addon of addons) for (const user of this.getModuleInfo(addon)?.importers ?? []) reportUseIn(user);
    },
  };
}

function namesAddon(code: string, folder: string): boolean {
  return [...code.matchAll(COMPOSED)].some(([, before = '', beginning = '']) => {
    const parts = [...before.matchAll(/["']([^"'\n]*)["']/g)].map(([, text = '']) => text);
    return hasAddon(path.join(folder, ...parts, beginning.slice(0, beginning.lastIndexOf('/') + 1)));
  });
}

function hasAddon(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.node'));
  } catch {
    // There is no such folder: the package has another way, or was not installed completely.
    return false;
  }
}
