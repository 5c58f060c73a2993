import { FastResponse, serve } from 'srvx';
import { createFetchHandler } from './fetch-handler.mjs';

serve({ fetch: createFetchHandler(FastResponse), port: Number(process.env.PORT), hostname: '127.0.0.1', silent: true });
