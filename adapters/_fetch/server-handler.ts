import type { HostContext } from '../../runtime/handler-context.ts';
import { createTaskSet } from '../../runtime/tasks.ts';
import type { ServerOptions } from '../_http/options.ts';
import { loadBuild } from '../_node/load-build.ts';
import { createFetchHandler } from './fetch-handler.ts';
import type { ToPublicUrl } from './fetch-handler.ts';

/** Answers the requests of a long-lived server that gives them as a Request. */
export interface ServerHandler<Server> {
  (request: Request, server?: Server): Response | Promise<Response>;
  /** Resolves when no task of `runTask` or `deferTask` is under way any more. For a shutdown to await. */
  drain(): Promise<void>;
}

/** Makes the handler of a server that has files and keeps its tasks itself. `isDisconnect` is as in `HostContext`. */
export function createServerHandler<Server = unknown>(
  options: ServerOptions,
  toPublicUrl: ToPublicUrl<Server>,
  isDisconnect?: HostContext['isDisconnect'],
): ServerHandler<Server> {
  const handler = createFetchHandler<Server>({ ...options, build: loadBuild(options.build) }, toPublicUrl);
  const tasks = createTaskSet();
  const host: HostContext = { waitUntil: tasks.waitUntil, isDisconnect };
  return Object.assign((request: Request, server?: Server) => handler(request, host, server), { drain: tasks.drain });
}
