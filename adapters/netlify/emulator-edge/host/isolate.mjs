// Run by Deno: answers requests with the bundled functions, in the code that Netlify wraps around them.
import { handleRequest } from 'netlify:bootstrap';
import { functions } from './functions.js';

// Netlify's code has replaced console.log.
const rawLogger = console.log;
const server = Deno.serve(
  {
    port: 0,
    hostname: '127.0.0.1',
    onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`isolate at ${port}\n`)),
  },
  (request) => handleRequest(request, functions, { rawLogger }),
);
Deno.addSignalListener('SIGTERM', () => server.shutdown());
