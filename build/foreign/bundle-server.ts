import { readFileSync } from 'node:fs';
import path from 'node:path';

import { rolldown } from 'rolldown';
import type { InputOptions, OutputChunk, OutputOptions } from 'rolldown';

import { toProjectPath } from '../app/project-path.ts';
import { listErrors, toProblem } from '../bundle/bundler-log.ts';
import { lightFetch, toFetchLine } from '../bundle/light-fetch.ts';
import { createAssetPlugin } from '../bundle/plugins/assets.ts';
import { createLostFilesPlugin } from '../bundle/plugins/lost-files.ts';
import { createOptionalRequirePlugin } from '../bundle/plugins/optional-requires.ts';
import type { BundleMap } from '../bundle/source-map.ts';
import { throwingFunctions } from '../bundle/throwing-functions.ts';
import { createExternalPlugin } from '../packages/external-packages.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import { findLostBinaries } from '../packages/lost-binaries.ts';
import { findLostPackageFiles } from '../packages/lost-package-files.ts';
import type { LostPackageFiles } from '../packages/lost-package-files.ts';
import { createNativeAddonPlugin } from '../packages/native-addons.ts';
import { isInstalled } from '../packages/package-of.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import type { ForeignBuild } from './find-build.ts';
import { hasFunctionAsDefault } from './function-as-default.ts';
import { modulePlace, toPlaceLine } from './module-place.ts';

/** How to bundle another framework's server. */
export interface ServerBundleOptions {
  projectRoot: string;
  /** Packages that are not bundled. */
  external: readonly string[];
  /** Conditions for reading the `exports` of packages, before Node's own. */
  conditions: readonly string[];
  /** Bind Request, Response and fetch to the light classes of adapters. */
  light: boolean;
  minify: boolean;
}

/** Another framework's server with all packages that it needs. */
export interface ServerBundle {
  /** The file that exports `fetch`, relative to the server build. */
  file: string;
  chunks: { output: string; code: string; map: BundleMap | undefined }[];
  external: ExternalUse[];
  warnings: string[];
}

/** The preset's module, which exists only for the bundler. */
const ENTRY = /[/\\]appkit-fetch-entry\.mjs$/;

/** Where the files go, relative to the server build. */
const FOLDER = '_appkit/fetch';

/**
 * Bundles a server with all packages that it imports: a server build contains everything it needs. As CommonJS, which
 * every host reads, or as ES modules if something awaits at its top level.
 *
 * @throws ExportError with what is wrong.
 */
export async function bundleServer(build: ForeignBuild, options: ServerBundleOptions): Promise<ServerBundle> {
  try {
    return await tryBundle(build, options, 'cjs');
  } catch (error) {
    if (!listErrors(error).some(({ message }) => /top-level await/i.test(message)))
      throw toExportError(error, build, options);
  }
  try {
    return await tryBundle(build, options, 'esm');
  } catch (error) {
    throw toExportError(error, build, options);
  }
}

async function tryBundle(
  build: ForeignBuild,
  options: ServerBundleOptions,
  format: 'cjs' | 'esm',
): Promise<ServerBundle> {
  const problems: Problem[] = [];
  const found: Found = {
    external: [],
    warnings: [],
    lostPackageFiles: findLostPackageFiles(),
    report: (problem) => void problems.push(problem),
  };
  const bundler = await rolldown(toInputOptions(build, { ...options, format }, found));
  try {
    const { output } = await bundler.generate(toOutputOptions(options, format));
    if (problems.length > 0) throw new ExportError(problems);
    const chunks = output.filter((file) => file.type === 'chunk');
    if (build.isSource) found.warnings.push(...warnOfPackages(found, chunks));
    const entry = chunks.find(({ isEntry }) => isEntry) as OutputChunk; // There is one input.
    return { file: entry.fileName, chunks: chunks.map(toChunk), external: found.external, warnings: found.warnings };
  } finally {
    await bundler.close();
  }
}

interface Found {
  external: ExternalUse[];
  warnings: string[];
  lostPackageFiles: LostPackageFiles;
  report(problem: Problem): void;
}

function warnOfPackages({ lostPackageFiles }: Found, chunks: readonly OutputChunk[]): Iterable<string> {
  const moduleIds = chunks.flatMap((chunk) => chunk.moduleIds);
  // One warning is enough for a package.
  return new Map([...lostPackageFiles.warn(moduleIds), ...findLostBinaries(moduleIds)]).values();
}

function toInputOptions(
  build: ForeignBuild,
  options: ServerBundleOptions & { format: 'cjs' | 'esm' },
  found: Found,
): InputOptions {
  const { projectRoot, conditions, external, light, format } = options;
  const entry = path.join(projectRoot, 'appkit-fetch-entry.mjs');
  const code = (build.toEntry ?? toDefaultEntry)(build.server);
  return {
    cwd: projectRoot,
    input: entry,
    platform: 'node',
    resolve: { conditionNames: [...conditions, 'node', 'import', 'module', 'default'] },
    transform: {
      target: 'node20.19',
      define: {
        ...throwingFunctions,
        ...(light ? lightFetch : {}),
        ...(format === 'cjs' ? modulePlace : {}),
        // The input is a finished build, and packages have a slower form for development.
        'process.env.NODE_ENV': '"production"',
      },
    },
    plugins: [
      {
        name: 'appkit:entry',
        resolveId: { filter: { id: ENTRY }, handler: (id) => id },
        load: { filter: { id: ENTRY }, handler: () => ({ code, moduleType: 'js' }) },
        buildEnd() {
          const info = build.toEntry ? undefined : this.getModuleInfo(build.server);
          // The exports of a CommonJS module are known only when it runs.
          if (!info || info.inputFormat === 'cjs' || info.exports.some((name) => /^(?:fetch|\*)$/.test(name))) return;
          const hasDefault = info.exports.includes('default');
          if (hasDefault && !hasFunctionAsDefault(build.server, readFileSync(build.server, 'utf8'))) return;
          found.report({
            file: toProjectPath(projectRoot, build.server),
            message: hasDefault
              ? 'Its default export is a function, and not an object with a function fetch.'
              : 'It exports no function fetch, by name or in its default export.',
            fix: 'Write: export default { fetch(request) { … } }',
          });
        },
      },
      createOptionalRequirePlugin((importer, specifier) => {
        if (isInstalled(importer)) return;
        found.warnings.push(`${toProjectPath(projectRoot, importer)}: ${specifier} was not found.`);
      }),
      createNativeAddonPlugin(projectRoot, found.report),
      createExternalPlugin(external, {
        projectRoot,
        onUse: (use) => found.external.push(use),
        report: found.report,
      }),
      ...(build.isSource ? createSourcePlugins(projectRoot, found) : []),
    ],
    onLog(level, log) {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') found.report(toProblem(log, toContext(build, options)));
    },
  };
}

/** What the bundler of a framework does for its own output. */
function createSourcePlugins(projectRoot: string, found: Found): InputOptions['plugins'][] {
  const warn = (text: string): void => void found.warnings.push(text);
  return [
    found.lostPackageFiles.plugin,
    // No refusals: the module may be the output of another bundler, with code that is never reached.
    createLostFilesPlugin(projectRoot, {
      report: ({ file, line, message, fix }) => warn(`${file}:${line}: ${message} ${fix}`),
      warn,
    }),
    createAssetPlugin(projectRoot, ({ source }) =>
      found.report({
        file: toProjectPath(projectRoot, source),
        message: 'It is imported as a file with a URL, which it would not have.',
        fix: 'Put it into public/, and write its URL.',
      }),
    ),
  ];
}

function toOutputOptions({ projectRoot, minify }: ServerBundleOptions, format: 'cjs' | 'esm'): OutputOptions {
  const extension = format === 'cjs' ? 'js' : 'mjs';
  return {
    // Not written: it makes the sources in the map relative to the project.
    dir: projectRoot,
    format,
    exports: 'named',
    entryFileNames: `${FOLDER}/server.${extension}`,
    chunkFileNames: `${FOLDER}/[name]-[hash].${extension}`,
    hashCharacters: 'hex',
    sanitizeFileName: (name) => name.replaceAll(/[^\w-]/g, '_'),
    strictExecutionOrder: true,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    keepNames: true,
    minify,
  };
}

function toDefaultEntry(server: string): string {
  const name = JSON.stringify(server);
  return `export * from ${name};\nimport * as server from ${name};\nexport default server.default;\n`;
}

function toChunk({ fileName, code, map }: OutputChunk): ServerBundle['chunks'][number] {
  const lines = `${toFetchLine(code)}${toPlaceLine(code)}`;
  return {
    output: fileName,
    code: `${lines}${code.replace(/\n?$/, '\n')}`,
    map: map
      ? {
          sources: map.sources,
          names: map.names,
          mappings: `${';'.repeat(lines.split('\n').length - 1)}${map.mappings}`,
        }
      : undefined,
  };
}

function toContext(
  { server }: ForeignBuild,
  { projectRoot }: ServerBundleOptions,
): { projectRoot: string; entry: string } {
  return { projectRoot, entry: toProjectPath(projectRoot, server) };
}

function toExportError(error: unknown, build: ForeignBuild, options: ServerBundleOptions): unknown {
  const errors = listErrors(error);
  return errors.length === 0 ? error : new ExportError(errors.map((log) => toProblem(log, toContext(build, options))));
}
