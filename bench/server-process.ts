import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Contestant } from './http/contestants.ts';
import { findFreePort } from '../conformance/generic/free-port.ts';

/** A running contestant. */
export interface RunningServer {
  url: string;
  /** The processor time used so far, in microseconds; `undefined` if the system does not report it. */
  cpuTime(): Promise<number | undefined>;
  /** The memory of its own that the process uses now, in MiB; `undefined` if the system does not report it. */
  memory(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** Starts a contestant on a free port, with the server build, and waits until it accepts connections. */
export async function startServer({ name, command }: Contestant, build: string): Promise<RunningServer> {
  const port = await findFreePort();
  const [file, ...args] = command;
  const child = spawn(file, args, {
    cwd: import.meta.dirname,
    env: { ...process.env, PORT: String(port), APPKIT_BUILD: build, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'spawn');
  await accepting(port, () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode} before it listened.`);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    cpuTime: () => cpuTimeOf(child.pid as number),
    memory: () => memoryOf(child.pid as number),
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

// The peers have no common way to report that they listen, so we try to connect.
async function accepting(port: number, assertAlive: () => void): Promise<void> {
  for (;;) {
    assertAlive();
    const socket = net.connect(port, '127.0.0.1');
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (connected) return;
    await delay(5);
  }
}

async function cpuTimeOf(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Fields 14 and 15 of proc(5), user and system time in ticks of 10 ms, counted after the name in brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function memoryOf(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
