import { createRequestHandler } from './appkit-server/adapters/cloudflare/index.js';
import { createCloudflareJobs } from './appkit-server/adapters/cloudflare/jobs.js';
import { withDeadJobs } from './appkit-server/dead-jobs.js';
import build from './dist/server/index.js';

const { APPKIT_OPTIONS, APPKIT_ON_ERROR } = process.env;

const handler = createRequestHandler({
  build,
  jobs: createCloudflareJobs(),
  ...JSON.parse(APPKIT_OPTIONS),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});

// oxlint-disable-next-line import/no-default-export -- a Worker is the default export of its module
export default withDeadJobs(handler);
