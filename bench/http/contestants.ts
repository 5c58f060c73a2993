import { compressed, everyday, fileScenarios, scenarios, smallScenarios } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';

/** A server of the comparison. */
export interface Contestant {
  name: string;
  command: readonly [string, ...string[]];
}

/** Servers that are compared with each other. The figures of the others are divided by those of the first. */
export interface Group {
  title: string;
  /** The scenarios that its goals apply to. */
  scenarios: readonly Scenario[];
  baseline: Contestant;
  others: readonly Contestant[];
  /** What a reader of the figures must know. */
  note?: string;
}

const node = (name: string, file: string): Contestant => ({
  name,
  command: [process.execPath, `servers/${file}.mjs`],
});
const bun = (name: string, file: string): Contestant => ({ name, command: ['bun', `servers/${file}.mjs`] });

/** The servers that are measured on each runtime. */
export function toGroups(deno: string): Group[] {
  const onDeno = (name: string, file: string): Contestant => ({
    name,
    command: [deno, 'run', '--allow-net', '--allow-read', '--allow-env', `servers/${file}.mjs`],
  });
  return [
    {
      title: 'Node',
      scenarios,
      baseline: node('raw node:http', 'raw'),
      others: [
        node('appkit node', 'appkit-node'),
        node('hono app + @hono/node-server', 'hono'),
        node('srvx FastResponse', 'srvx'),
        node('@whatwg-node/server', 'whatwg-node'),
      ],
    },
    {
      title: 'Everyday',
      scenarios: [everyday],
      baseline: node('hono app + @hono/node-server', 'hono'),
      others: [node('appkit node', 'appkit-node')],
    },
    {
      title: 'Express',
      scenarios: smallScenarios,
      baseline: node('Express 5', 'express'),
      others: [node('raw code in one app.use', 'express-raw'), node('appkit express', 'appkit-express')],
    },
    {
      title: 'Bun',
      scenarios,
      baseline: bun('routes called directly, Bun', 'direct-bun'),
      others: [bun('appkit bun', 'appkit-bun'), bun('hono app, Bun', 'hono-bun')],
    },
    {
      title: 'Deno',
      scenarios,
      baseline: onDeno('routes called directly, Deno', 'direct-deno'),
      others: [onDeno('appkit deno', 'appkit-deno')],
    },
    {
      title: 'Compressed',
      scenarios: [compressed],
      baseline: node('Express 5 + compression', 'express-compressed'),
      others: [node('appkit node', 'appkit-node'), node('hono app + its compress', 'hono-compressed')],
    },
    {
      title: 'Files',
      scenarios: fileScenarios,
      baseline: node('sirv', 'sirv'),
      others: [node('appkit node', 'appkit-files'), node('serve-static', 'serve-static')],
      note: 'The 304 of sirv has no ETag, Cache-Control or Vary, although RFC 9110 (section 15.4.5) requires those of the 200.',
    },
    {
      title: 'Files on Bun',
      scenarios: fileScenarios,
      baseline: bun('Bun.file as a route', 'files-bun'),
      others: [bun('appkit bun', 'appkit-files-bun')],
    },
    {
      title: 'Files on Deno',
      scenarios: fileScenarios,
      baseline: onDeno('Deno.open as a stream', 'files-deno'),
      others: [onDeno('appkit deno', 'appkit-files-deno')],
    },
  ];
}
