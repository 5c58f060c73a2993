/**
 * Runs beside a process that starts process groups, and reads from it which have started and which have ended. When the
 * process is gone the input ends, and the groups that are left are killed.
 */
import { createInterface } from 'node:readline';
import { killGroup } from './process-group.ts';

const groups = new Set<number>();
for await (const line of createInterface(process.stdin)) {
  const [what, pid] = line.split(' ');
  if (what === 'started') groups.add(Number(pid));
  else groups.delete(Number(pid));
}
for (const pid of groups) killGroup({ pid });
