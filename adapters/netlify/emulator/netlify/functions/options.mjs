// The template's function, with options, called in its place.
import { createRequestHandler } from 'appkit-server/adapter/netlify';

export default createRequestHandler({
  build: new URL('../../dist/server', import.meta.url),
  ...JSON.parse(process.env.APPKIT_OPTIONS),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});

export const config = { path: '/*', preferStatic: true };
