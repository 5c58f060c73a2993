/** Serves the fixture with the server that the first argument names, on the port in PORT. */
import { env, argv } from 'node:process';
import { fetch } from '../fixture/index.js';

const { serve } = await import(`./${argv[2]}.mjs`);
await serve(fetch, Number(env.PORT));
