import { createTaskSet } from '../../runtime/tasks.ts';
import type { ServerOptions } from '../_http/options.ts';
import { loadBuild } from '../_node/load-build.ts';
import { createFetchHandler } from './fetch-handler.ts';
import type { ToPublicUrl } from './fetch-handler.ts';

/** Answers the requests of a long-lived server that gives them as a Request. */
export interface ServerHandler {
  (request: Request): Promise<Response>;
  /** Resolves when no task started by `runTask` or `deferTask` is running any more. For a shutdown to await. */
  drain(): Promise<void>;
}

/** Makes the handler of a server that has files and keeps its tasks itself. */
export function createServerHandler(options: ServerOptions, toPublicUrl: ToPublicUrl): ServerHandler {
  const handler = createFetchHandler({ ...options, build: loadBuild(options.build) }, toPublicUrl);
  const tasks = createTaskSet();
  const host = { waitUntil: tasks.waitUntil };
  return Object.assign((request: Request) => handler(request, host), { drain: tasks.drain });
}
