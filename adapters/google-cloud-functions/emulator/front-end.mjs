import { subscribe } from 'node:diagnostics_channel';

// What Google's front end does to a request before the framework receives it:
// https://docs.cloud.google.com/functions/docs/reference/headers
// The suite calls the server over http, so that is the scheme it reports.
subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
  server.prependListener('request', (request) => {
    const caller = request.socket.remoteAddress;
    const forwarded = request.headers['x-forwarded-for'];
    replaceHeader(request, 'x-forwarded-for', forwarded === undefined ? caller : `${forwarded}, ${caller}`);
    replaceHeader(request, 'x-forwarded-proto', 'http');
  });
  // The framework prints the port that it was given, which is 0.
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});

function replaceHeader(request, name, value) {
  request.headers[name] = value;
  const lines = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [line, old] = request.rawHeaders.slice(index, index + 2);
    if (line.toLowerCase() !== name) lines.push(line, old);
  }
  request.rawHeaders = [...lines, name, value];
}
