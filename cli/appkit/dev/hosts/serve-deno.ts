import { startProcess } from './process-script.ts';

declare const Deno: {
  serve(options: object, handler: object): { addr: { port: number } };
};

await startProcess((handler) => Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, handler).addr);
