import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { serverEnvironment } from '../../conformance/command.ts';
import { startServer } from '../../conformance/server-process.ts';
import type { ServerExit, ServerProcess } from '../../conformance/server-process.ts';
import { findFreePort } from '../../conformance/generic/free-port.ts';

/** An instance of the app. It can be started again on its port. */
export interface Instance {
  name: string;
  origin: string;
  /** Sends SIGTERM. Resolves once the process has ended, with its exit code and all its output. */
  stop(): Promise<ServerExit>;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  /** The default of `env` is the environment of the first start. */
  start(env?: Record<string, string>): Promise<void>;
  /** Waits for a line of output. */
  waitForOutput(pattern: RegExp): Promise<unknown>;
}

/** Starts an instance of the example, which is built in `folder`. */
export async function startInstance(name: string, folder: string, firstEnv: Record<string, string>): Promise<Instance> {
  const port = await findFreePort();
  const start = (env: Record<string, string>): Promise<ServerProcess> =>
    startServer({
      command: ['node', 'server.mjs'],
      folder,
      env: { ...serverEnvironment, ...env, PORT: String(port) },
      ready: /Listening on (http:\S+)/,
      outlivesBehaviours: true,
    });
  let server = await start(firstEnv);
  return {
    name,
    origin: server.origin,
    stop: () => server.stop(),
    kill: () => server.kill(),
    start: async (env = firstEnv) => void (server = await start(env)),
    waitForOutput: (pattern) => server.waitForOutput(pattern),
  };
}

/** HAProxy with the example's configuration. */
export interface Proxy {
  origin: string;
  /** Resolves once it sends requests to all instances. */
  allUp(): Promise<void>;
  /** How many requests HAProxy has sent again because an instance did not answer. */
  repeated(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts HAProxy in front of three instances. */
export async function startProxy(folder: string, instances: readonly Instance[]): Promise<Proxy> {
  const [proxyPort, statePort] = [await findFreePort(), await findFreePort()];
  const [one, two, three] = instances.map(({ origin }) => new URL(origin).port);
  const child = spawn('haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')], {
    env: {
      ...process.env,
      PROXY_PORT: String(proxyPort),
      STATE_PORT: String(statePort),
      PORT_ONE: one,
      PORT_TWO: two,
      PORT_THREE: three,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const readState = async (): Promise<string[]> => {
    const state = await fetch(`http://127.0.0.1:${statePort}/;csv`).catch(() => undefined);
    return (await state?.text())?.split('\n') ?? [];
  };
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`haproxy has ended with ${child.exitCode}: ${printed}`);
    const lines = (await readState()).filter((line) => /^instances,(?!BACKEND)/.test(line));
    // "UP" with the result of a probe: at its start, HAProxy assumes that all are up. A "DOWN 1/2" is about to be up.
    return lines.length === 3 && lines.every((line) => line.includes(',UP,') && line.includes(',L7OK,'));
  };
  return {
    origin: `http://127.0.0.1:${proxyPort}`,
    async allUp() {
      while (!(await isUp())) continue;
    },
    async repeated() {
      const [names = '', ...lines] = await readState();
      const total = lines.find((line) => line.startsWith('instances,BACKEND,'))?.split(',');
      return Number(total?.[names.split(',').indexOf('wretr')]) + Number(total?.[names.split(',').indexOf('wredis')]);
    },
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
