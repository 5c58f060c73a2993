import type { Extra, Gap, Lack } from './emulator.ts';
import { NotApplicable } from './generic/not-applicable.ts';
import { toServer } from './generic/server.ts';
import type { Server } from './generic/server.ts';
import { startServer } from './server-process.ts';
import type { ServerCommand, ServerProcess } from './server-process.ts';
import type { SharedServers } from './shared-servers.ts';

/** The apps of the suite, exported once and installed on every host. */
export const APP_NAMES = ['app', 'app-catch-all', 'app-below', 'app-fetch'] as const;

/** One of {@link APP_NAMES}, or the app of plain-app.ts, which only `npm run conformance -- --plain` needs. */
export type AppName = (typeof APP_NAMES)[number] | 'app-plain';

/** A folder for each app that a host was prepared for. */
export type AppFolders = Partial<Record<AppName, string>> & { app: string };

/** The folder of an app. Throws if the host was not prepared for it. */
export function folderOf(folders: AppFolders, app: AppName): string {
  const folder = folders[app];
  if (folder === undefined) throw new Error(`This host was not prepared for ${app}.`);
  return folder;
}

/** What the suite's worker processes know about the host under test. Plain data. */
export interface HostDescription {
  name: string;
  /** The URL on which the server with the main app listens. */
  origin: string;
  basePath: string;
  lacks: readonly Lack[];
  extras: readonly Extra[];
  gaps: readonly Gap[];
  /** Everything random in a behaviour follows from it. */
  seed: number;
  /** How long a behaviour may take. Default: a minute. */
  limitMs?: number;
  /** Absent for a deployed host, which the suite knows only by its URL. */
  local?: LocalHost;
}

/** A host that runs on this machine. Plain data. */
export interface LocalHost {
  /** The app that behaviours use unless they name one. Default: `app`. */
  app?: AppName | undefined;
  /** The host's own folder for each app, with `dist/`, the template's files and the dependencies. */
  folders: AppFolders;
  command: readonly [string, ...string[]];
  commandWithOptions?: readonly [string, ...string[]] | undefined;
  /** The complete environment of its processes: without `NODE_ENV`, which the test runner sets for itself. */
  env: Record<string, string>;
  ready: RegExp;
  /** Command and arguments of the installed command line, without `export …`. */
  cli: readonly [string, ...string[]];
}

/** A server of the host under test, as behaviours see it. */
export interface Host extends Server {
  /** What exists on this machine. Throws {@link NotApplicable} when the host is a deployed one. */
  readonly local: LocalHost;
  /**
   * Another server of this host, shared by the behaviours that need the same options: they only send it requests, and
   * leave it unchanged. Needs a host on this machine.
   */
  configured(options?: StartOptions): Promise<ConfiguredHost>;
  /**
   * Starts a separate server of this host, for a behaviour that stops it or has to be its first client. Keep it with
   * `await using`, which stops it. Needs a host on this machine.
   */
  start(options?: StartOptions): Promise<StartedHost>;
}

/** The differences of another server of a host. */
export interface StartOptions {
  /** Default: `app`. */
  app?: AppName;
  /** Options for the adapter. When given, even empty, the server reports errors through `onError`. */
  options?: Record<string, unknown>;
  /** Variables for the process. */
  env?: Record<string, string>;
}

/** A server that behaviours share, and its output during any of them. */
export interface ConfiguredHost extends Host, Pick<ServerProcess, 'waitForOutput'> {}

/** A server that a behaviour has started, with its process. */
export interface StartedHost extends Host, AsyncDisposable, Omit<ServerProcess, 'origin'> {}

/**
 * Describes the running server of a host to the behaviours.
 *
 * @param shared – the servers that behaviours share.
 */
export function toHost(description: HostDescription, shared: SharedServers, origin: string = description.origin): Host {
  return {
    ...toServer({ ...description, origin }),
    get local() {
      return localOf(description);
    },
    async configured(options = {}) {
      const { origin: itsOrigin, waitForOutput } = await shared.get(toCommand(localOf(description), options));
      return { ...toHost(description, shared, itsOrigin), waitForOutput };
    },
    async start(options = {}) {
      const server = await startServer(toCommand(localOf(description), options));
      return Object.assign(toHost(description, shared, server.origin), server, {
        async [Symbol.asyncDispose]() {
          await (hasShutdown(description) ? server.stop() : server.kill());
        },
      });
    },
  };
}

/**
 * Whether a server ends by itself when asked to. If the platform ends its processes, they are killed: occasionally, one
 * of workerd's does not end.
 */
export function hasShutdown({ lacks }: Pick<HostDescription, 'lacks'>): boolean {
  return lacks.every(({ what }) => what !== 'shutdown');
}

function toCommand(local: LocalHost, { app = local.app ?? 'app', options, env }: StartOptions): ServerCommand {
  const command = options === undefined ? local.command : local.commandWithOptions;
  if (command === undefined) throw new NotApplicable('This host takes no options of the adapter.');
  return {
    command,
    folder: folderOf(local.folders, app),
    env: { ...local.env, ...(options === undefined ? {} : { APPKIT_OPTIONS: JSON.stringify(options) }), ...env },
    ready: local.ready,
  };
}

function localOf({ name, local }: HostDescription): LocalHost {
  if (local === undefined) throw new NotApplicable(`${name} is deployed: the suite cannot start or configure it.`);
  return local;
}
