// The function of the templates with options, called in its place.
import { createRequestHandler, createStreamingRequestHandler } from 'appkit-server/adapter/aws-lambda';
import { createStaticFiles } from 'appkit-server/static';

const options = {
  build: 'dist/server',
  files: createStaticFiles('dist/client'),
  ...JSON.parse(process.env.APPKIT_OPTIONS ?? '{}'),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
};

export const buffered = createRequestHandler(options);
export const streaming = createStreamingRequestHandler(options);
