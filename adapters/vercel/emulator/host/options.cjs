// The template's function, with options, called in its place.
const { createRequestHandler } = require('appkit-server/adapter/vercel');

module.exports = createRequestHandler({
  build: 'dist/server',
  // Only the function of an app with jobs has the engine.
  ...(process.env.APPKIT_QUEUE_ORIGIN && { jobs: require('appkit-server/jobs/vercel').createVercelJobs() }),
  ...JSON.parse(process.env.APPKIT_OPTIONS),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});
