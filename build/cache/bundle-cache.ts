import { clearExportCache, openExportCache } from './export-cache.ts';
import type { CacheEntry } from './export-cache.ts';
import { createFileState, toHash } from './file-state.ts';
import { areUnchanged, recordInputs } from './inputs.ts';
import type { Inputs, ReadModules } from './inputs.ts';
import { hashTools } from './tools.ts';

/** Bundles of a project's earlier exports, as long as they would come out the same. */
export interface BundleCache {
  /** Finds a bundle by its sources and every option that it depends on. */
  find(what: readonly unknown[]): CacheEntry | undefined;
  /** Keeps a bundle, if everything it depends on is known. */
  keep(what: readonly unknown[], read: ReadModules, entry: CacheEntry): void;
  /** The hash of a file, read once per export, or `undefined` when the file does not exist. */
  hashFile(file: string): string | undefined;
  /**
   * Returns the result of `work`, without running it when this export or an earlier one has.
   *
   * @param what – names the work and everything its result depends on, with files by their hash. The result is kept as
   * JSON.
   */
  recall<T>(what: readonly unknown[], work: () => T): T | Awaited<T>;
  /** Lets later exports find what was kept. */
  commit(): Promise<void>;
}

/**
 * Opens the bundles of earlier exports.
 *
 * @param options – `outputDir` contains no inputs. `workFolder` holds what is not committed yet; the code that created
 * it removes it. With `clear`, no bundles of earlier exports are used.
 */
export async function openBundleCache(
  projectRoot: string,
  { outputDir, workFolder, clear }: { outputDir: string; workFolder: string; clear: boolean },
): Promise<BundleCache> {
  if (clear) await clearExportCache(projectRoot);
  const entries = openExportCache(projectRoot, { workFolder });
  const state = createFileState({ except: [outputDir] });
  // The state before any bundling: a file added later is one that the next export has not seen.
  state.hashTree(projectRoot);
  const tools = await hashTools();
  const toKey = (what: readonly unknown[]): string => JSON.stringify([tools, projectRoot, ...what]);
  const resultsKey = toKey(['results']);
  const former = (entries.read(resultsKey)?.value ?? {}) as Record<string, unknown>; // as `commit` wrote it
  // Only what this export has asked for: the rest comes from sources that no longer exist.
  const results: Record<string, unknown> = {};
  let hasNew = false;
  return {
    find(what) {
      const entry = entries.read(toKey(what));
      if (!entry) return undefined;
      const { inputs, value } = entry.value as { inputs: Inputs; value: unknown }; // as `keep` wrote it
      return areUnchanged(inputs, state) ? { ...entry, value } : undefined;
    },
    keep(what, read, { value, files }) {
      const inputs = recordInputs(read, { projectRoot, state });
      if (!inputs) return;
      hasNew = true;
      entries.write(toKey(what), { value: { inputs, value }, files });
    },
    hashFile: (file) => state.hashFile(file),
    recall<T>(what: readonly unknown[], work: () => T): T | Awaited<T> {
      const key = toHash(JSON.stringify(what));
      const keepResult = <R>(result: R): R => {
        results[key] = result;
        return result;
      };
      if (key in results) return results[key] as Awaited<T>; // of the same work
      if (key in former) return keepResult(former[key] as Awaited<T>); // of the same work
      hasNew = true;
      const result = work();
      return result instanceof Promise ? (result.then(keepResult) as T) : keepResult(result);
    },
    async commit() {
      // A file saved during the export may be in a bundle but not in its hash, or the other way round.
      if (hasNew && !state.isUnchanged()) return;
      if (hasNew) entries.write(resultsKey, { value: results, files: new Map() });
      await entries.commit();
    },
  };
}
