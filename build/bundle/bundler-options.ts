import type { InputOptions, OutputOptions, RolldownLog } from 'rolldown';

import type { JobFile } from '../app/job-name.ts';
import type { Attempt } from './attempt.ts';
import { toProblem } from './bundler-log.ts';
import { createCastsPlugin } from './plugins/casts.ts';
import { createDecoratorsPlugin } from './plugins/decorators.ts';
import { createExternalPlugin } from '../packages/external-packages.ts';
import { createFileNamesPlugin } from './plugins/file-names.ts';
import { createFacadePlugin, toFacadeInputs } from './facades.ts';
import { lightFetch } from './light-fetch.ts';
import { createNativeAddonPlugin } from '../packages/native-addons.ts';
import { createOptionalRequirePlugin } from './plugins/optional-requires.ts';
import { createJsonPlugin } from './plugins/json-modules.ts';
import { createLostFilesPlugin } from './plugins/lost-files.ts';
import { createJobNamesPlugin } from './plugins/job-names.ts';
import { isInstalled } from '../packages/package-of.ts';
import { createOwnGroup } from './own-modules.ts';
import { createPagePartsPlugin } from './plugins/page-parts.ts';
import type { PagePart } from './plugins/page-parts.ts';
import { createRelayPlugin, toAnchorInput } from './plugins/relayed-exports.ts';
import { createRuntimePlugin } from './plugins/bundler-runtime.ts';
import { chunkNames, toEntryName } from './server-chunks.ts';
import { createSharedRoutesPlugin } from './plugins/shared-routes.ts';
import { createAssetPlugin } from './plugins/assets.ts';
import { createWorkerPackagesPlugin } from '../packages/worker-packages.ts';
import { createServerOnlyPlugin } from './plugins/server-only.ts';
import { createTypeImportsPlugin } from './plugins/type-imports.ts';
import { createSetAsidePlugin } from './plugins/set-aside.ts';
import { throwingFunctions } from './throwing-functions.ts';

/** What the bundler reads in an attempt, and how. */
export function toInputOptions(attempt: Attempt): InputOptions {
  const { entries, options, setAside, found, sources } = attempt;
  const { projectRoot, shared = [] } = options;
  return {
    cwd: projectRoot,
    input: {
      ...Object.fromEntries(entries.map((entry, index) => [toEntryName(index, entry), sources[index] ?? ''])),
      ...toAnchorInput(found.relays),
      ...toFacadeInputs(projectRoot, shared),
    },
    platform: 'node',
    // Those of Node, which loads packages in development. By itself, the bundler takes files that are for bundlers alone.
    resolve: { conditionNames: ['node', 'module-sync'] },
    // The oldest Node that appkit-server supports. Its `require` also loads ES modules, so an external one works.
    transform: {
      target: 'node20.19',
      ...(setAside.forceJsx ? { jsx: { runtime: 'automatic' } } : {}),
      define: {
        ...options.constants,
        ...throwingFunctions,
        ...(options.strictFetch ? {} : lightFetch),
      },
    },
    shimMissingExports: setAside.missingExports,
    plugins: toPlugins(attempt),
    onLog: (level, log) => level === 'warn' && addWarning(attempt, log),
  };
}

/** What the bundler writes in an attempt. */
export function toOutputOptions({ options, strictMode, modules }: Attempt): OutputOptions {
  return {
    // Not written: it makes the sources in the map relative to the project.
    dir: options.projectRoot,
    format: 'cjs',
    exports: 'named',
    generatedCode: { symbols: false },
    ...chunkNames,
    codeSplitting: { groups: [...strictMode.groups, createOwnGroup(modules)] },
    // It would only repeat what an entry says, for other modules as well.
    strict: false,
    // Modules that several files share go into separate chunks, which would otherwise run before a file's other
    // imports.
    strictExecutionOrder: true,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    // An error is recognised by its name in logs and in `error.name = new.target.name`.
    keepNames: true,
    minify: options.minify,
  };
}

/** A warning in the form that bundles use. */
function toWarning(log: RolldownLog, { context }: Attempt): string {
  const { file, line, message, fix } = toProblem(log, context);
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}${log.code === 'EMPTY_IMPORT_META' ? ` ${fix}` : ''}`;
}

function addWarning(attempt: Attempt, log: RolldownLog): void {
  if (log.code === 'UNRESOLVED_IMPORT') attempt.unresolved.push(log);
  // What another import of the same module has already loaded does not matter.
  else if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
  else if (log.id !== undefined && !isInstalled(log.id)) attempt.result.warnings.push(toWarning(log, attempt));
}

function toPlugins(attempt: Attempt): InputOptions['plugins'] {
  const { entries, options, setAside, found, sources, result, report, strictMode } = attempt;
  const { projectRoot, shared = [], pages } = options;
  return [
    createSetAsidePlugin(setAside),
    createRuntimePlugin(),
    strictMode.plugin,
    createSharedRoutesPlugin(sources, found.sharedRoutes),
    createRelayPlugin(found.relays),
    createFacadePlugin(shared),
    createOptionalRequirePlugin((importer, specifier) => attempt.warnMissing(importer, specifier)),
    createNativeAddonPlugin(projectRoot, report),
    options.inWorkerd
      ? createWorkerPackagesPlugin(options.external, projectRoot)
      : createExternalPlugin(options.external, { projectRoot, onUse: (use) => result.external.push(use), report }),
    createServerOnlyPlugin(),
    createPagePartsPlugin(
      entries.filter((entry): entry is PagePart => 'kept' in entry),
      { projectRoot, ...pages, report },
    ),
    createJobNamesPlugin(projectRoot, () => entries.filter((entry): entry is JobFile => 'job' in entry)),
    createJsonPlugin(),
    createDecoratorsPlugin(projectRoot, report),
    createCastsPlugin(options.constants),
    createTypeImportsPlugin(),
    attempt.lostPackageFiles.plugin,
    createFileNamesPlugin(projectRoot, { report }),
    createLostFilesPlugin(projectRoot, { report, warn: (text) => result.warnings.push(text) }),
    createAssetPlugin(
      projectRoot,
      (asset) => result.assets.push(asset),
      () => options.base,
    ),
    {
      name: 'appkit:read-modules',
      buildEnd() {
        attempt.addModules(this.getModuleIds(), (id) => this.getModuleInfo(id));
      },
    },
  ];
}
