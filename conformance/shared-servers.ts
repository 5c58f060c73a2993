import { startServer } from './server-process.ts';
import type { ServerCommand, ServerProcess } from './server-process.ts';

/** Servers that several behaviours ask: to start one takes longer than most behaviours do. */
export interface SharedServers {
  /** The server that this command starts. Starts it when it is not running. */
  get(command: ServerCommand): Promise<ServerProcess>;
  /** Ends what a behaviour calls that has failed: kills each server it has asked for, and the next one gets another. */
  killUsed(): Promise<void>;
  /** Ends what a behaviour calls that has passed. */
  keepUsed(): void;
  /** Kills all of them. */
  killAll(): Promise<void>;
}

/** Begins without a server. */
export function createSharedServers(): SharedServers {
  const servers = new Map<string, Promise<ServerProcess>>();
  const used = new Set<string>();
  const kill = async (keys: readonly string[]): Promise<void> => {
    const killed = keys.map((key) => servers.get(key));
    for (const key of keys) servers.delete(key);
    // One that could not be started has failed the behaviour that asked for it.
    await Promise.allSettled(killed.map(async (server) => (await server)?.kill()));
    used.clear();
  };
  return {
    async get(command) {
      const key = JSON.stringify([command.command, command.folder, command.env]);
      used.add(key);
      let server = servers.get(key);
      if (server === undefined) servers.set(key, (server = startServer({ ...command, outlivesBehaviours: true })));
      return server;
    },
    killUsed: () => kill([...used]),
    keepUsed: () => used.clear(),
    killAll: () => kill([...servers.keys()]),
  };
}
