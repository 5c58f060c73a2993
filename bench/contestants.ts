/** A server of the comparison. */
export interface Contestant {
  name: string;
  command: readonly [string, ...string[]];
  /** The contestant its figures are divided by; its own name for a baseline. */
  baseline: string;
}

const node = (name: string, file: string, baseline = 'raw node:http'): Contestant => ({
  name,
  command: [process.execPath, `servers/${file}.mjs`],
  baseline,
});
const bun = (name: string, file: string): Contestant => ({
  name,
  command: ['bun', `servers/${file}.mjs`],
  baseline: 'raw Bun.serve',
});

/** Who is measured. Each baseline comes before those compared with it. */
export const contestants: readonly Contestant[] = [
  node('raw node:http', 'raw'),
  node('appkit node', 'appkit-node'),
  node('hono app + @hono/node-server', 'hono'),
  node('srvx (FastResponse)', 'srvx'),
  node('@whatwg-node/server', 'whatwg-node'),
  node('Express 5', 'express', 'Express 5'),
  node('appkit express', 'appkit-express', 'Express 5'),
  bun('raw Bun.serve', 'bun-raw'),
  bun('appkit bun', 'appkit-bun'),
];
