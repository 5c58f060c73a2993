import type { ServerBuild } from 'appkit-server/manifest';
import { createRequestHandler } from 'appkit-server/adapter/cloudflare';
import { createCloudflareJobs } from 'appkit-server/jobs/cloudflare';
import type { DeadJob } from 'appkit-server/jobs/cloudflare';

declare const build: ServerBuild;
const handler = createRequestHandler({ build });

export const worker: ExportedHandler = handler;
export const ownWorker: ExportedHandler<{ KEYS: KVNamespace }> = {
  fetch: (request, env, context) => handler.fetch(request, env, context),
};

// @ts-expect-error -- a Worker is an object with a fetch, not the function
export const bare: ExportedHandler = handler.fetch;

const working = createRequestHandler({ build, jobs: createCloudflareJobs() });
export const workingWorker: ExportedHandler = working;
export const workingOwnWorker: ExportedHandler<{ JOBS: Queue<DeadJob> }> = {
  fetch: (request, env, context) => working.fetch(request, env, context),
  scheduled: (controller, env, context) => working.scheduled(controller, env, context),
  async queue(batch, env, context) {
    if (batch.queue === 'shop-jobs') return working.queue(batch, env, context);
    // Runs dead jobs again.
    for (const { body } of batch.messages) await env.JOBS.send(body as DeadJob);
  },
};

// @ts-expect-error -- does not exist without the option jobs
export const { queue } = handler;
// @ts-expect-error -- does not exist without the option jobs
export const { scheduled } = handler;
