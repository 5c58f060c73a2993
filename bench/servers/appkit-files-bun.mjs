import { createStaticFiles } from 'appkit-server/static';
import { folder } from './files.mjs';

const files = createStaticFiles(folder);
const fetch = (request) => files.fetch(request) ?? new Response(null, { status: 404 });
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch });
