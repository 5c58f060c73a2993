import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Contestant } from './http/contestants.ts';
import { findFreePort } from '../conformance/generic/free-port.ts';

/** A contestant that is up. */
export interface RunningServer {
  url: string;
  /** Processor time it has used so far, in microseconds; `undefined` where the system does not tell. */
  cpuTime(): Promise<number | undefined>;
  /** Memory that is its own now, in MiB; `undefined` where the system does not tell. */
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

// The peers have no common way to say that they listen, so we knock.
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
  // Fields 14 and 15 of proc(5), user and system time in ticks of 10 ms, counted behind the name in brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function memoryOf(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
