import { statSync } from 'node:fs';
import type { ViteDevServer } from 'vite';

/** How long the changes of one save are gathered before they are reported. */
const GATHER_MS = 10;
/** The watcher tells of a file at most once in 50 ms, and drops what it hears in between (chokidar 3, `_throttle`). */
const RECHECK_MS = 100;

/** What is called when files of an app change. */
export interface FileWatcher {
  /**
   * A file has changed, been added or been removed. Called at once, before anybody can read it again.
   *
   * @param file – its absolute path.
   * @param event – `change`, `add`, `unlink`, `addDir` or `unlinkDir`.
   * @returns whether `onSettled` should be called with it.
   */
  onChange(file: string, event: string): boolean;
  /** The same files, gathered: a rename is two, a checkout hundreds. */
  onSettled(files: ReadonlySet<string>): void;
}

/**
 * Tells of every change of the files that Vite watches, the last one of many in a row included.
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
