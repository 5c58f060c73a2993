import path from 'node:path';

import { toSlashes } from '../app/project-path.ts';
import type { BundledApp } from '../bundle/bundle-app.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { WrittenFile } from '../output/measure-files.ts';
import { toClientFolder } from '../output/client-folder.ts';
import { toPublicFile } from '../output/public-files.ts';
import type { PublicFiles } from '../output/public-files.ts';
import type { BuiltSite } from '../site/build-site.ts';
import { toPublicDefine } from './client-env.ts';
import { findClues, listSources } from './find-clues.ts';
import { listReadSources, proveClient } from './prove-client.ts';

/**
 * Searches everything that clients get for server content, unless an earlier export has done so with the same outcome.
 */
export function proveExport(
  { proof: { documents, serverModules, clientFiles, clientModules } }: BuiltSite,
  {
    projectRoot,
    client,
    base,
    cache,
    bundled,
    publicFiles,
    measured,
  }: {
    projectRoot: string;
    /** The folder that becomes `dist/client`. */
    client: string;
    base: string | undefined;
    cache: BundleCache;
    bundled: BundledApp;
    publicFiles: PublicFiles;
    measured: readonly WrittenFile[];
  },
): void {
  const clientDir = toClientFolder(client, base);
  const modules = listSources([...bundled.modules, ...serverModules]);
  const clues = findClues(modules, projectRoot, cache);
  const proof = {
    projectRoot,
    clientDir,
    clientFiles,
    documents: [
      ...documents,
      ...publicFiles.files.map((file) => toSlashes(path.relative(clientDir, toPublicFile(client, file, base)))),
    ],
    serverModules: modules,
    clues,
    environment: process.env,
  };
  const hashes = new Map(measured.map(({ file, hash }) => [file.path, hash]));
  const searched = clientFiles.map((file) => [file, hashes.get(path.posix.join('client', base ?? '', file))]);
  const sources = listReadSources(clientModules.read()).map((file) => [file, cache.hashFile(file)]);
  const what = ['proof', modules, clues, searched, clientModules.hash, sources, toPublicDefine(process.env)];
  let isProved = false;
  cache.recall(what, () => {
    proveClient({ ...proof, clientModules: clientModules.read() });
    return (isProved = true);
  });
  // The values of variables are searched for each time: nothing about them is cached, not even a hash.
  if (!isProved) proveClient({ ...proof, valuesOnly: true, clientModules: clientModules.read() });
}
