/**
 * Runs next to a process that starts process groups and makes temporary folders, and reads from it which of them exist.
 * Its input ends with that process; it then kills the remaining groups and removes the remaining folders.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { killWholeGroup } from './process-group.ts';

const groups = new Set<number>();
const folders = new Set<string>();
for await (const line of createInterface(process.stdin)) {
  const space = line.indexOf(' ');
  const [what, it] = [line.slice(0, space), line.slice(space + 1)];
  if (what === 'started') groups.add(Number(it));
  if (what === 'ended') groups.delete(Number(it));
  if (what === 'made') folders.add(it);
  if (what === 'removed') folders.delete(it);
}
for (const pid of groups) await killWholeGroup({ pid });
for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
