import { createRequire } from 'node:module';

/**
 * Whether a package has other files for bundlers than for Node, by the field `module` of its package.json. An export takes those for pages,
 * and Node, which loads packages here, does not. The field `exports` would say the same to both.
 */
export function isForBundlers(specifier: string, importer: string): boolean {
  if (/^(?:[./#]|[a-z]+:)/.test(specifier)) return false;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  try {
    const manifest = createRequire(importer)(`${name}/package.json`) as { exports?: unknown; module?: unknown }; // every package has one
    return manifest.exports === undefined && typeof manifest.module === 'string';
  } catch {
    // `exports` hides it.
    return false;
  }
}
