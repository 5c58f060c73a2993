import { startServer } from './server-process.ts';
import type { ServerCommand, ServerProcess } from './server-process.ts';

/** Servers that several behaviours share: starting one takes longer than most behaviours do. */
export interface SharedServers {
  /** The server that this command starts. Starts it when it is not running. */
  get(command: ServerCommand): Promise<ServerProcess>;
  /** Called at the end of a failed behaviour: kills each server it has used, and the next behaviour gets another. */
  killUsed(): Promise<void>;
  /** Called at the end of a passed behaviour. */
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
    // A server that could not be started has failed the behaviour that needed it.
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
