import { createTaskSet } from '../../runtime/host.ts';
import type { HostContext } from '../../runtime/host.ts';
import type { ServerOptions } from '../_http/options.ts';
import { loadBuild } from '../_build/load-build.ts';
import { createFetchHandler } from './fetch-handler.ts';
import type { ToPublicUrl } from './fetch-handler.ts';

/** Answers the requests of a long-lived server that gives them as a Request. */
export interface ServerHandler<Server> {
  (request: Request, server?: Server): Response | Promise<Response>;
  /** Resolves when no task of `runTask` or `deferTask` is under way any more. For a shutdown to await. */
  drain(): Promise<void>;
}

/** What is peculiar to a server. */
export interface ServerTraits {
  /** As in `HostContext`. */
  isDisconnect?: HostContext['isDisconnect'];
  /** As in `HostContext`. */
  keep?: HostContext['keep'];
  /** As in `createFetchHandler`. */
  whenRead?: () => Promise<void>;
}

/** Makes the handler of a server that has files and keeps its tasks itself. */
export function createServerHandler<Server = unknown>(
  options: ServerOptions,
  toPublicUrl: ToPublicUrl<Server>,
  { isDisconnect, keep, whenRead }: ServerTraits = {},
): ServerHandler<Server> {
  const handler = createFetchHandler<Server>({ ...options, build: loadBuild(options.build) }, toPublicUrl, whenRead);
  const tasks = createTaskSet();
  const host: HostContext = { waitUntil: tasks.waitUntil, isDisconnect, keep };
  return Object.assign((request: Request, server?: Server) => handler(request, host, server), { drain: tasks.drain });
}
