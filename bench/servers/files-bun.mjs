import { folder } from './files.mjs';

// Bun validates only files that are given as routes.
const routes = { '/megabyte.bin': new Response(Bun.file(`${folder}/megabyte.bin`)) };
const fetch = () => new Response(null, { status: 404 });
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', routes, fetch });
