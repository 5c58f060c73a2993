import { statSync } from 'node:fs';
import type { ViteDevServer } from 'vite';

/** How long the changes of one save are gathered before they are reported. */
const GATHER_MS = 10;
/** The watcher reports a file at most once per 50 ms, and drops changes in between (chokidar 3, `_throttle`). */
const RECHECK_MS = 100;

/** The functions called when files of an app change. */
export interface FileWatcher {
  /**
   * A file has changed, been added or been removed. Called at once, before anything can read it again.
   *
   * @param file – its absolute path.
   * @param event – `change`, `add`, `unlink`, `addDir` or `unlinkDir`.
   * @returns whether `onSettled` should be called with it.
   */
  onChange(file: string, event: string): boolean;
  /** Called later with the same files together: a rename has two, a checkout hundreds. */
  onSettled(files: ReadonlySet<string>): void;
}

/**
 * Reports every change of the files that Vite watches, including the last of many in a row.
 *
 * @returns how to stop.
 */
export function watchFiles(
  { watcher }: Pick<ViteDevServer, 'watcher'>,
  { onChange, onSettled }: FileWatcher,
): () => void {
  const gathered = new Set<string>();
  const rechecks = new Map<string, NodeJS.Timeout>();
  let gathering: NodeJS.Timeout | undefined;

  const changed = (event: string, file: string): void => {
    const signature = signatureOf(file);
    if (!onChange(file, event)) return;
    gathered.add(file);
    gathering ??= setTimeout(settle, GATHER_MS);
    clearTimeout(rechecks.get(file));
    rechecks.set(file, setTimeout(recheck, RECHECK_MS, event, file, signature));
  };
  const recheck = (event: string, file: string, signature: string): void => {
    rechecks.delete(file);
    if (signatureOf(file) !== signature) changed(event, file);
  };
  const settle = (): void => {
    gathering = undefined;
    const files = new Set(gathered);
    gathered.clear();
    onSettled(files);
  };
  watcher.on('all', changed);

  return () => {
    watcher.off('all', changed);
    clearTimeout(gathering);
    for (const timer of rechecks.values()) clearTimeout(timer);
  };
}

function signatureOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : '';
}
