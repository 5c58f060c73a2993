// The functions of the templates, with options, called in their place.
import { createRequestHandler, createStreamingRequestHandler } from 'appkit-server/adapter/aws-lambda';
import { createJobHandler, createSqsJobs } from 'appkit-server/jobs/aws';
import { createStaticFiles } from 'appkit-server/static';

const queue = process.env.APPKIT_JOBS_QUEUE_URL === undefined ? undefined : createSqsJobs();
const common = {
  build: 'dist/server',
  ...JSON.parse(process.env.APPKIT_OPTIONS ?? '{}'),
  jobs: queue,
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
};
const options = { files: createStaticFiles('dist/client'), ...common };

export const buffered = createRequestHandler(options);
export const streaming = createStreamingRequestHandler(options);
export const jobs = queue && createJobHandler(common);
