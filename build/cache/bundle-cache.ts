import { clearExportCache, openExportCache } from './export-cache.ts';
import type { CacheEntry } from './export-cache.ts';
import { createFileState, toHash } from './file-state.ts';
import { areUnchanged, recordInputs } from './inputs.ts';
import type { Inputs, ReadModules } from './inputs.ts';
import { hashTools } from './tools.ts';

/** Bundles of former exports of a project, for as long as they would come out the same. */
export interface BundleCache {
  /** Finds a bundle by what it is of and every option that it depends on. */
  find(what: readonly unknown[]): CacheEntry | undefined;
  /** Keeps a bundle, if all it depends on is known. */
  keep(what: readonly unknown[], read: ReadModules, entry: CacheEntry): void;
  /** The hash of a file, read once in an export, or `undefined` when there is none. */
  hashFile(file: string): string | undefined;
  /**
   * Gives what `work` gives, without doing it when this export or a former one has.
   *
   * @param what – names the work and everything its result depends on, files by their hash. The result is kept as JSON.
   */
  recall<T>(what: readonly unknown[], work: () => T): T | Awaited<T>;
  /** Lets later exports find what was kept. */
  commit(): Promise<void>;
}

/**
 * Opens the bundles of former exports.
 *
 * @param options – `outputDir` contains no inputs. `workFolder` is for what is not committed yet; the code that made it removes it.
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
  const resultsKey = toKey(['results']);
  const former = (entries.read(resultsKey)?.value ?? {}) as Record<string, unknown>; // as `commit` wrote it
  // Only what this export has asked for: the rest is of sources that are no more.
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
      // What was saved during the export may be in a bundle and not in its hash, or the other way round.
      if (hasNew && !state.isUnchanged()) return;
      if (hasNew) entries.write(resultsKey, { value: results, files: new Map() });
      await entries.commit();
    },
  };
}
