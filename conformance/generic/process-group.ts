import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The options that a process group is started with. */
export interface GroupOptions {
  folder: string;
  /** The whole environment of its processes: nothing is inherited. */
  env: NodeJS.ProcessEnv;
}

/** The process that a group was started with. Its id, which is also the group's, is undefined if it could not start. */
type Leader = { pid?: number | undefined };

/** A fuse, for systems that do not tell which processes of a group are only dead ones. */
const LIMIT_MS = 4_000;
let watcher: Writable | undefined;

/**
 * Starts a command in its own process group, which includes what the command starts in turn: workerd outlives a killed
 * miniflare. If the group still exists when this process ends, however it ends, group-watcher.ts kills it.
 */
export function spawnGroup(
  [file, ...args]: readonly [string, ...string[]],
  { folder, env }: GroupOptions,
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(file, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) tellWatcher('started', child.pid);
  return child;
}

/** Kills every process of a group that was started here and resolves when they are gone. */
export async function endGroup(leader: Leader): Promise<void> {
  await killWholeGroup(leader);
  if (leader.pid !== undefined) tellWatcher('ended', leader.pid);
}

/** Kills every process of a group and resolves when they are gone. */
export async function killWholeGroup(leader: Leader): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; killGroup(leader) && Date.now() < end;) {
    await delay(5);
    if (isDead(leader)) return;
  }
}

/** Whether what is left of a group waits only for process 1 to reap it, which some containers do once a second or never. Linux tells that. */
function isDead({ pid: group }: Leader): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc').every((pid) => {
    if (!/^\d+$/.test(pid)) return true;
    // What is before the state is the process's name, which may contain anything.
    const [state, , itsGroup] = readStat(pid).split(') ').at(-1)?.split(' ') ?? [];
    return Number(itsGroup) !== group || state === 'Z' || state === 'X';
  });
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return ''; // it has gone
  }
}

/** Kills every process of a group, and returns whether one existed. */
export function killGroup({ pid }: Leader): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: no process exists. On macOS also EPERM: the remaining ones are dead, but not reaped.
    return false;
  }
}

/**
 * Tells group-watcher.ts what to kill or remove when this process ends: `started` and `made` add, `ended` and `removed`
 * take away.
 */
export function tellWatcher(what: 'started' | 'ended' | 'made' | 'removed', it: string | number): void {
  watcher ??= startWatcher();
  watcher.write(`${what} ${it}\n`);
}

// A killed process cannot end anything itself, but its pipes are closed.
function startWatcher(): Writable {
  // The compiled file has another extension.
  const file = path.join(import.meta.dirname, `group-watcher${path.extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [file], { env: {}, detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  child.unref();
  return child.stdin;
}
