// The function for jobs, with options, called in its place.
const { createJobHandler, createVercelJobs } = require('appkit-server/jobs/vercel');

exports.POST = createJobHandler({
  build: 'dist/server',
  jobs: createVercelJobs(),
  ...JSON.parse(process.env.APPKIT_OPTIONS),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
  },
});
