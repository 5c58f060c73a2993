import { startProcess } from './process-script.ts';

declare const Bun: {
  serve(options: object): { port: number };
};

// The longest timeout that Bun allows, in seconds: its default of 10 would break off slow answers.
await startProcess((fetch) => Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 255, fetch }));
