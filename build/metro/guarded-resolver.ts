import { findPackageOf, isInstalled } from '../packages/package-of.ts';
import { formatProblem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import {
  findWay,
  isServerFile,
  SERVER_PACKAGE,
  toClientProblem,
  toMarked,
  toServerModule,
} from '../secrets/server-code.ts';
import { SERVER_ONLY } from '../bundle/plugins/server-only.ts';
import { createImportGraph, isContext } from './import-graph.ts';
import type { ImportGraph } from './import-graph.ts';
import type { Resolution, ResolutionContext, ResolveRequest } from './metro-types.ts';

/** The module that `appkit-router` reads the server's address from. */
const ORIGIN_MODULE = 'appkit-router/app-origin';
/** Only Vite bundles the pages of `appkit-router`. A native app gets the client for its server. */
const WITHOUT_PAGES: Readonly<Record<string, string>> = { 'appkit-router': 'appkit-router/fetch' };

/**
 * Wraps an app's resolver: an import that leads to server code is an error that names the chain of imports.
 *
 * @param options – `inner` is the app's own resolver. `originFile` replaces the module with which `appkit-router` finds
 * its server.
 */
export function createGuardedResolver({
  projectRoot,
  originFile,
  inner,
}: {
  projectRoot: string;
  originFile: string;
  inner: ResolveRequest | null | undefined;
}): ResolveRequest {
  // Each platform has its own variants of files.
  const graphs = new Map<string | null, ImportGraph>();
  return (context, moduleName, platform) => {
    const graph = graphs.get(platform) ?? createImportGraph();
    graphs.set(platform, graph);
    const importer = context.originModulePath;
    const refuse = (name: string, chainEnd: readonly string[], what: string): never => {
      const isPage = (file: string): boolean => graph.getImporters(file).some(isContext);
      const way = findWay(importer, { isPage, getImporters: graph.getImporters });
      const chain = [...way.map((file) => toProjectPath(projectRoot, file)), ...chainEnd];
      throw new Error(formatProblem(toClientProblem(chain, { name, what })));
    };

    if (moduleName === ORIGIN_MODULE) return { type: 'sourceFile', filePath: originFile };
    if (SERVER_ONLY.test(moduleName)) {
      return refuse(moduleName, [], toMarked(toProjectPath(projectRoot, importer), moduleName));
    }
    if (SERVER_PACKAGE.test(moduleName)) return refuse(moduleName, [moduleName], toServerModule(moduleName));
    const resolution = (inner ?? context.resolveRequest)(context, WITHOUT_PAGES[moduleName] ?? moduleName, platform);
    for (const file of toFiles(resolution)) {
      const isFile = isServerFile(file);
      // `require.context` includes every file in a folder: nothing has imported these by name.
      if (isFile && isContext(importer)) return { type: 'empty' };
      const name = isFile ? toProjectPath(projectRoot, file) : toServerPackage(file, { context, moduleName });
      if (name !== undefined) return refuse(name, [name], toServerModule(name));
      graph.add(file, { importer, specifier: moduleName });
    }
    return resolution;
  };
}

function toFiles(resolution: Resolution): readonly string[] {
  if (resolution.type === 'empty') return [];
  return resolution.type === 'sourceFile' ? [resolution.filePath] : resolution.filePaths;
}

/** The package of the server that an alias or a path leads into, if any. */
function toServerPackage(
  file: string,
  { context, moduleName }: { context: ResolutionContext; moduleName: string },
): string | undefined {
  if (!isInstalled(file) || moduleName === 'appkit-server/match') return undefined;
  const target = findPackageOf(file);
  if (target?.name !== 'appkit-server' || findPackageOf(context.originModulePath)?.root === target.root)
    return undefined;
  return target.name;
}
