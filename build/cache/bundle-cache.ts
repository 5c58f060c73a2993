import { type CacheEntry, clearExportCache, openExportCache } from './export-cache.ts';
import { createFileState } from './file-state.ts';
import { areUnchanged, type Inputs, type ReadModules, recordInputs } from './inputs.ts';
import { hashTools } from './tools.ts';

/** Bundles of former exports of a project, for as long as they would come out the same. */
export interface BundleCache {
  /** Finds a bundle by what it is of and every option that it depends on. */
  find(what: readonly unknown[]): CacheEntry | undefined;
  /** Keeps a bundle, if all it depends on is known. */
  keep(what: readonly unknown[], read: ReadModules, entry: CacheEntry): Promise<void>;
  /** Lets later exports find what was kept. */
  commit(): Promise<void>;
}

/**
 * Opens the bundles of former exports.
 *
 * @param options - `outputDir` holds no inputs. `workFolder` is for what is not committed yet, and removed by whoever made it.
 * With `clear` there are no bundles of former exports.
 */
export async function openBundleCache(
  projectRoot: string,
  { outputDir, workFolder, clear }: { outputDir: string; workFolder: string; clear: boolean },
): Promise<BundleCache> {
  if (clear) await clearExportCache(projectRoot);
  const entries = openExportCache(projectRoot, { workFolder });
  const state = createFileState({ except: [outputDir] });
  // As it is before any of it is bundled: a file that comes later is one that the next export has not seen.
  state.hashTree(projectRoot);
  const tools = await hashTools();
  const toKey = (what: readonly unknown[]): string => JSON.stringify([tools, projectRoot, ...what]);
  let hasKept = false;
  return {
    find(what) {
      const entry = entries.read(toKey(what));
      if (!entry) return undefined;
      const { inputs, value } = entry.value as { inputs: Inputs; value: unknown }; // as `keep` wrote it
      return areUnchanged(inputs, state) ? { ...entry, value } : undefined;
    },
    async keep(what, read, { value, files }) {
      const inputs = recordInputs(read, { projectRoot, state });
      if (!inputs) return;
      hasKept = true;
      await entries.write(toKey(what), { value: { inputs, value }, files });
    },
    async commit() {
      // What was saved during the export may be in a bundle and not in its hash, or the other way round.
      if (!hasKept || state.isUnchanged()) await entries.commit();
    },
  };
}
