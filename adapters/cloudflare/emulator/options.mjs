import { createRequestHandler } from 'appkit-server/adapter/cloudflare';
import { createCloudflareJobs } from 'appkit-server/jobs/cloudflare';
import { withDeadJobs } from './dead-jobs.mjs';
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

export default withDeadJobs(handler);
