import path from 'node:path';
import { toSlashes } from '../app/project-path.ts';

/** What the bundler knows about the origin of its output. */
export interface BundleMap {
  /** Relative to the project; null for code without a source. */
  sources: (string | null)[];
  names: string[];
  mappings: string;
}

/** The fields of a source map that travel with a server build. The sources themselves do not. */
export interface SourceMap extends BundleMap {
  version: 3;
  file: string;
  sourceRoot?: string;
}

/**
 * Names the sources of a bundle by their paths in the project, never by those on the machine, so that a build of the
 * same sources is the same everywhere.
 *
 * @param output – `file` is where the bundle will be, and `projectRoot` the project that the sources are in.
 */
export function toSourceMap(
  { sources, names, mappings }: BundleMap,
  output: { projectRoot: string; file: string },
): SourceMap {
  const root = toSlashes(path.relative(path.dirname(output.file), output.projectRoot));
  // With this, stack traces of a build that is still in its project point at real files. Elsewhere, the path from one
  // to the other would reveal where both are on this machine.
  const isBeside = /^(?:\.\.\/)*\.\.$/.test(root);
  return {
    version: 3,
    file: path.basename(output.file),
    ...(isBeside ? { sourceRoot: `${root}/` } : {}),
    sources: sources.map((source) => source && toUrlPath(source)),
    names,
    mappings,
  };
}

/** Sources are URLs: these three characters would end or distort the path. */
function toUrlPath(source: string): string {
  return source.replaceAll(/[%?#]/g, encodeURIComponent);
}

/** The comment that links a bundle to its map. */
export function toMapComment(map: SourceMap, { inline }: { inline: boolean }): string {
  const url = inline
    ? `data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
    : `${encodeURIComponent(map.file)}.map`;
  return `//# sourceMappingURL=${url}\n`;
}
